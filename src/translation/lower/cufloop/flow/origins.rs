//! Sets of scalars, by number. They are copied and compared for each path, so that they are kept as bits.

/// Scalars on whose values at the beginning of the iteration a value depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// The last word is not zero.
    words: Vec<u64>,
}

impl Origins {
    pub fn new() -> Self {
        Origins::default()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        if let Some(w) = self.words.get_mut(word) {
            *w |= 1 << (number % 64);
        }
    }

    pub fn contains(&self, number: usize) -> bool {
        let word = self.words.get(number / 64);
        word.is_some_and(|w| w >> (number % 64) & 1 == 1)
    }

    /// Adds those of another set.
    pub fn add(&mut self, other: &Origins) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (w, o) in self.words.iter_mut().zip(&other.words) {
            *w |= o;
        }
    }

    /// All of several sets.
    pub fn union<'o>(sets: impl IntoIterator<Item = &'o Origins>) -> Self {
        let mut all = Origins::new();
        sets.into_iter().for_each(|s| all.add(s));
        all
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |w: u64| (0..64).filter(move |b| w >> b & 1 == 1);
        self.words
            .iter()
            .enumerate()
            .flat_map(move |(n, w)| bits(*w).map(move |b| n * 64 + b))
    }
}
