fn main() {
    for f in std::env::args().skip(1) {
        let b = std::fs::read(&f).unwrap();
        let s = cuf2cu::source::from_bytes(std::path::Path::new(&f), &b).unwrap();
        let (a, e) = cuf2cu::syntax::parse(&s.text);
        println!("{:#?} {:?}", a, e);
    }
}
