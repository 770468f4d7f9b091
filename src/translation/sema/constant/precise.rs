//! Functions of real and complex numbers with the last bit right: computed with many more digits than a kind has and rounded once,
//! as gfortran does with the constants of the host's side (MPFR, MPC).

use astro_float_num::{BigFloat, Consts, RoundingMode, Sign, Word};

const RM: RoundingMode = RoundingMode::ToEven;
/// Digits that all but the least benign functions are computed with.
const DIGITS: usize = 384;
/// Digits in which powers of numbers that have a short exact value are exact.
const EXACT: usize = 2048;

/// Numbers of many digits, and the constants of the functions of them.
pub struct MultiPrecision {
    p: usize,
    constants: Consts,
}

/// A complex number of many digits.
pub type Pair = (BigFloat, BigFloat);

/// A real number as one of many digits.
pub fn many(x: f64) -> BigFloat {
    BigFloat::from_f64(x, 64)
}

/// The number of a real kind that lies nearest; None for what is none or too large.
pub fn rounded(x: &BigFloat, kind: u8) -> Option<f64> {
    let (digits, least, most) = match kind {
        2 => (11, -13, 16),
        4 => (24, -125, 128),
        8 => (53, -1021, 1024),
        _ => return None,
    };
    let (words, _, sign, exponent, _) = x.as_raw_parts()?;
    let signed = |v: f64| if sign == Sign::Neg { -v } else { v };
    if x.is_zero() {
        return Some(signed(0.0));
    }
    // The first 64 digits behind the point, and whether others follow.
    let (mut top, mut have, mut more) = (0u64, 0, false);
    for w in words.iter().rev() {
        if have < 64 {
            // A word has 32 bits on some processors.
            #[allow(clippy::unnecessary_cast)]
            let word = *w as u64;
            top |= word << (64 - have - Word::BITS);
            have += Word::BITS;
        } else {
            more |= *w != 0;
        }
    }
    // As MPFR does, to all digits first and then to those of a number below the normal ones.
    let (mut mantissa, mut exponent) = shortened(top, more, digits, exponent);
    if exponent < least {
        let left = digits - (least - exponent);
        if left < 0 {
            return Some(signed(0.0));
        }
        (mantissa, exponent) = shortened(mantissa << (64 - digits), false, left, exponent);
        mantissa <<= digits - left;
    }
    if exponent > most {
        return None;
    }
    let power = exponent - digits;
    let half = power / 2;
    Some(signed(
        mantissa as f64 * 2f64.powi(half) * 2f64.powi(power - half),
    ))
}

/// The first digits of a fraction as an integer, ties to even, and the exponent of the fraction that it is.
fn shortened(fraction: u64, more: bool, digits: i32, exponent: i32) -> (u64, i32) {
    let kept = if digits == 0 {
        0
    } else {
        fraction >> (64 - digits)
    };
    let rest = if digits == 0 {
        fraction
    } else {
        fraction << digits
    };
    let half = 1u64 << 63;
    let up = rest > half || rest == half && (more || kept & 1 == 1);
    let mantissa = kept + u64::from(up);
    match mantissa >> digits {
        0 => (mantissa, exponent),
        _ if digits == 0 => (mantissa, exponent),
        _ => (mantissa >> 1, exponent + 1),
    }
}

impl MultiPrecision {
    pub fn new() -> Option<MultiPrecision> {
        MultiPrecision::of(DIGITS)
    }

    fn of(p: usize) -> Option<MultiPrecision> {
        let constants = Consts::new().ok()?;
        Some(MultiPrecision { p, constants })
    }

    pub fn add(&self, a: &BigFloat, b: &BigFloat) -> BigFloat {
        a.add(b, self.p, RM)
    }

    pub fn sub(&self, a: &BigFloat, b: &BigFloat) -> BigFloat {
        a.sub(b, self.p, RM)
    }

    pub fn mul(&self, a: &BigFloat, b: &BigFloat) -> BigFloat {
        a.mul(b, self.p, RM)
    }

    pub fn div(&self, a: &BigFloat, b: &BigFloat) -> BigFloat {
        a.div(b, self.p, RM)
    }

    pub fn sqrt(&self, a: &BigFloat) -> BigFloat {
        a.sqrt(self.p, RM)
    }

    pub fn exp(&mut self, a: &BigFloat) -> BigFloat {
        a.exp(self.p, RM, &mut self.constants)
    }

    pub fn ln(&mut self, a: &BigFloat) -> BigFloat {
        a.ln(self.p, RM, &mut self.constants)
    }

    pub fn log10(&mut self, a: &BigFloat) -> BigFloat {
        a.log10(self.p, RM, &mut self.constants)
    }

    pub fn sin(&mut self, a: &BigFloat) -> BigFloat {
        a.sin(self.p, RM, &mut self.constants)
    }

    pub fn cos(&mut self, a: &BigFloat) -> BigFloat {
        a.cos(self.p, RM, &mut self.constants)
    }

    pub fn tan(&mut self, a: &BigFloat) -> BigFloat {
        a.tan(self.p, RM, &mut self.constants)
    }

    pub fn asin(&mut self, a: &BigFloat) -> BigFloat {
        a.asin(self.p, RM, &mut self.constants)
    }

    pub fn acos(&mut self, a: &BigFloat) -> BigFloat {
        a.acos(self.p, RM, &mut self.constants)
    }

    pub fn atan(&mut self, a: &BigFloat) -> BigFloat {
        a.atan(self.p, RM, &mut self.constants)
    }

    pub fn sinh(&mut self, a: &BigFloat) -> BigFloat {
        a.sinh(self.p, RM, &mut self.constants)
    }

    pub fn cosh(&mut self, a: &BigFloat) -> BigFloat {
        a.cosh(self.p, RM, &mut self.constants)
    }

    pub fn tanh(&mut self, a: &BigFloat) -> BigFloat {
        a.tanh(self.p, RM, &mut self.constants)
    }

    pub fn asinh(&mut self, a: &BigFloat) -> BigFloat {
        a.asinh(self.p, RM, &mut self.constants)
    }

    pub fn acosh(&mut self, a: &BigFloat) -> BigFloat {
        a.acosh(self.p, RM, &mut self.constants)
    }

    pub fn atanh(&mut self, a: &BigFloat) -> BigFloat {
        a.atanh(self.p, RM, &mut self.constants)
    }

    pub fn pi(&mut self) -> BigFloat {
        self.constants.pi(self.p, RM)
    }

    fn number(&self, n: i64) -> BigFloat {
        BigFloat::from_i64(n, self.p)
    }

    pub fn atan2(&mut self, y: f64, x: f64) -> BigFloat {
        let pi = self.pi();
        if x == 0.0 {
            let quarter = self.div(&pi, &many(2.0));
            return if y > 0.0 { quarter } else { quarter.neg() };
        }
        let (by, bx) = (many(y), many(x));
        let quotient = self.div(&by, &bx);
        let angle = self.atan(&quotient);
        if x > 0.0 {
            angle
        } else if y.is_sign_negative() {
            self.sub(&angle, &pi)
        } else {
            self.add(&angle, &pi)
        }
    }

    /// x**2 + y**2, all digits of it.
    fn squares(x: f64, y: f64) -> BigFloat {
        let square = |v: f64| many(v).mul_full_prec(&many(v));
        exact_sum(square(x), square(y))
    }

    pub fn hypot(&self, x: f64, y: f64) -> BigFloat {
        self.sqrt(&MultiPrecision::squares(x, y))
    }

    /// The error function's series, for numbers that are not negative: its terms all have one sign.
    fn erf_series(&mut self, x: &BigFloat) -> BigFloat {
        let square = self.mul(x, x);
        let twice = self.add(&square, &square);
        let (mut term, mut sum, mut n) = (x.clone(), x.clone(), 3);
        while above(&term, &sum, self.p) {
            term = self.div(&self.mul(&term, &twice), &self.number(n));
            sum = self.add(&sum, &term);
            n += 2;
        }
        let decay = self.exp(&square.neg());
        let root = self.pi();
        let root = self.sqrt(&root);
        let scale = self.div(&self.add(&decay, &decay), &root);
        self.mul(&scale, &sum)
    }

    pub fn erf(&mut self, x: f64) -> BigFloat {
        let size = match x.abs() {
            // Nearer to one than any kind tells.
            10.0.. => many(1.0),
            size => self.erf_series(&many(size)),
        };
        if x < 0.0 { size.neg() } else { size }
    }
}

/// A term still changes a sum of `p` digits.
fn above(term: &BigFloat, sum: &BigFloat, p: usize) -> bool {
    match (term.exponent(), sum.exponent()) {
        (Some(t), Some(s)) if !term.is_zero() => i64::from(t) + p as i64 + 8 > i64::from(s),
        _ => false,
    }
}

/// 1 - erf(x), times exp(x**2) if it is to be scaled.
pub fn erfc(x: f64, scaled: bool) -> Option<BigFloat> {
    let one = many(1.0);
    if x > 26.0 && scaled {
        let mut m = MultiPrecision::new()?;
        let (square, mut term, mut sum, mut n) = (m.mul(&many(x), &many(x)), one.clone(), one, 1);
        let twice = m.add(&square, &square);
        while above(&term, &sum, m.p) {
            if n > 1000 {
                return None;
            }
            term = m.div(&m.mul(&term, &m.number(-n)), &twice);
            sum = m.add(&sum, &term);
            n += 2;
        }
        let root = m.pi();
        let root = m.sqrt(&root);
        return Some(m.div(&sum, &m.mul(&root, &many(x))));
    }
    if !(-30.0..28.0).contains(&x) {
        return None;
    }
    // What is left of one has that many digits less.
    let mut m = MultiPrecision::of(DIGITS + (x * x * 3.0) as usize)?;
    let part = m.erf_series(&many(x.abs()));
    let rest = match x < 0.0 {
        true => m.add(&one, &part),
        false => m.sub(&one, &part),
    };
    if !scaled {
        return Some(rest);
    }
    let square = m.mul(&many(x), &many(x));
    let growth = m.exp(&square);
    Some(m.mul(&rest, &growth))
}

/// Numbers of the series of Stirling that are needed, and from where on it is good for that many digits.
const STIRLING: (usize, i64) = (96, 80);

/// The logarithm of gamma(x + n) with x + n large, and the product x (x+1) ... (x+n-1).
fn log_gamma_shifted(m: &mut MultiPrecision, x: f64) -> (BigFloat, BigFloat) {
    let (terms, from) = STIRLING;
    let (mut z, mut product) = (many(x), many(1.0));
    if x < from as f64 {
        for _ in 0..from - x.floor() as i64 {
            product = m.mul(&product, &z);
            z = m.add(&z, &many(1.0));
        }
    }
    // Tangent numbers, from which Bernoulli's follow without cancellation.
    let mut t = vec![many(1.0); terms + 1];
    for k in 2..=terms {
        t[k] = m.mul(&m.number(k as i64 - 1), &t[k - 1]);
    }
    for k in 2..=terms {
        for j in k..=terms {
            let (a, b) = (m.number((j - k) as i64), m.number((j - k + 2) as i64));
            t[j] = m.add(&m.mul(&a, &t[j - 1]), &m.mul(&b, &t[j]));
        }
    }
    let two_pi = m.pi();
    let two_pi = m.add(&two_pi, &two_pi);
    let log = m.ln(&z);
    let mut sum = m.mul(&m.sub(&z, &many(0.5)), &log);
    sum = m.sub(&sum, &z);
    let shift = m.ln(&two_pi);
    sum = m.add(&sum, &m.div(&shift, &many(2.0)));
    let square = m.mul(&z, &z);
    let mut power = z;
    let mut quarter = many(4.0);
    for (k, tangent) in t.iter().enumerate().skip(1) {
        // B(2k) / (2k (2k - 1)) = T(k) / (4**k (4**k - 1) (2k - 1)), signs in turn.
        let below = m.mul(&quarter, &m.sub(&quarter, &many(1.0)));
        let below = m.mul(&below, &m.number(2 * k as i64 - 1));
        let term = m.div(tangent, &m.mul(&below, &power));
        sum = match k % 2 {
            1 => m.add(&sum, &term),
            _ => m.sub(&sum, &term),
        };
        power = m.mul(&power, &square);
        quarter = m.mul(&quarter, &many(4.0));
    }
    (sum, product)
}

/// sin(pi x) of a number that is no integer.
fn sin_pi(m: &mut MultiPrecision, x: f64) -> BigFloat {
    let whole = x.round_ties_even();
    let pi = m.pi();
    let part = m.mul(&pi, &many(x - whole));
    let sine = m.sin(&part);
    if whole.rem_euclid(2.0) == 1.0 {
        sine.neg()
    } else {
        sine
    }
}

pub fn gamma(x: f64) -> Option<BigFloat> {
    if !(-180.0..180.0).contains(&x) || x <= 0.0 && x.fract() == 0.0 || x.abs() < 1e-300 {
        return None;
    }
    let mut m = MultiPrecision::of(DIGITS + 128)?;
    let positive = |m: &mut MultiPrecision, x: f64, by: &BigFloat| {
        let (log, product) = log_gamma_shifted(m, x);
        let shifted = m.exp(&log);
        m.div(&shifted, &m.mul(&product, by))
    };
    if x > 0.0 {
        return Some(positive(&mut m, x, &many(1.0)));
    }
    // gamma(x) gamma(1 - x) = pi / sin(pi x), with gamma(1 - x) = -x gamma(-x).
    let sine = sin_pi(&mut m, x);
    let other = positive(&mut m, -x, &many(1.0));
    let other = m.mul(&other, &many(-x));
    let pi = m.pi();
    Some(m.div(&pi, &m.mul(&sine, &other)))
}

pub fn log_gamma(x: f64) -> Option<BigFloat> {
    if x == 1.0 || x == 2.0 {
        return Some(many(0.0));
    }
    if !(-1e6..1e15).contains(&x) || x <= 0.0 && x.fract() == 0.0 || x.abs() < 1e-300 {
        return None;
    }
    let mut m = MultiPrecision::of(2 * DIGITS)?;
    let positive = |m: &mut MultiPrecision, x: f64| {
        let (log, product) = log_gamma_shifted(m, x);
        let product = m.ln(&product);
        m.sub(&log, &product)
    };
    if x > 0.0 {
        return Some(positive(&mut m, x));
    }
    let sine = sin_pi(&mut m, x).abs();
    let other = positive(&mut m, -x);
    let other = {
        let factor = m.ln(&many(-x));
        m.add(&other, &factor)
    };
    let pi = m.pi();
    let quotient = m.div(&pi, &sine);
    let quotient = m.ln(&quotient);
    Some(m.sub(&quotient, &other))
}

/// The digits that a Bessel function's series needs: its terms grow like exp(x) before they fall.
fn bessel_digits(n: i64, x: f64) -> Option<usize> {
    ((0..=200).contains(&n) && x.abs() <= 200.0).then_some(2 * DIGITS + 4 * x.abs() as usize)
}

/// Bessel function of the first kind.
pub fn bessel_j(n: i64, x: f64) -> Option<BigFloat> {
    let m = MultiPrecision::of(bessel_digits(n, x)?)?;
    Some(first_kind(&m, n, x))
}

fn first_kind(m: &MultiPrecision, n: i64, x: f64) -> BigFloat {
    if x == 0.0 {
        return many(if n == 0 { 1.0 } else { 0.0 });
    }
    let half = m.div(&many(x), &many(2.0));
    let square = m.mul(&half, &half);
    let mut term = many(1.0);
    for k in 1..=n {
        term = m.div(&m.mul(&term, &half), &m.number(k));
    }
    let (mut sum, mut k) = (term.clone(), 1);
    // Terms fall only from x/2 on.
    while above(&term, &sum, m.p) || k < x.abs() as i64 {
        term = m.div(&m.mul(&term, &square), &m.number(-k * (n + k)));
        sum = m.add(&sum, &term);
        k += 1;
    }
    sum
}

/// Euler's constant, by the formula of Brent and McMillan.
fn euler(m: &mut MultiPrecision) -> BigFloat {
    let n = m.p as i64 / 5;
    let saved = m.p;
    m.p *= 3;
    let square = m.number(n * n);
    let mut a = m.ln(&m.number(n)).neg();
    let (mut u, mut v, mut b) = (a.clone(), many(1.0), many(1.0));
    for k in 1..6 * n {
        let k = m.number(k);
        b = m.div(&m.mul(&b, &square), &m.mul(&k, &k));
        a = m.div(&m.add(&m.div(&m.mul(&a, &square), &k), &b), &k);
        u = m.add(&u, &a);
        v = m.add(&v, &b);
    }
    let constant = m.div(&u, &v);
    m.p = saved;
    constant
}

/// Bessel function of the second kind.
pub fn bessel_y(n: i64, x: f64) -> Option<BigFloat> {
    if x <= 0.0 {
        return None;
    }
    let mut m = MultiPrecision::of(bessel_digits(n, x)?)?;
    let half = m.div(&many(x), &many(2.0));
    let square = m.mul(&half, &half);
    // (n-1)!/0! (x/2)**-n, and the terms after it.
    let mut finite = many(0.0);
    if n > 0 {
        let mut term = m.div(&many(1.0), &half);
        for k in 1..n {
            term = m.div(&m.mul(&term, &m.number(k)), &half);
        }
        for k in 0..n {
            finite = m.add(&finite, &term);
            if k + 1 < n {
                let below = m.number((k + 1) * (n - k - 1));
                term = m.div(&m.mul(&term, &square), &below);
            }
        }
    }
    let constant = euler(&mut m);
    let twice = m.add(&constant, &constant);
    // psi(k + 1) + psi(n + k + 1)
    let mut psi = twice.neg();
    let mut term = many(1.0);
    for k in 1..=n {
        psi = m.add(&psi, &m.div(&many(1.0), &m.number(k)));
        term = m.div(&m.mul(&term, &half), &m.number(k));
    }
    let mut series = m.mul(&psi, &term);
    let mut k = 1;
    while above(&term, &series, m.p) || k < x as i64 {
        term = m.div(&m.mul(&term, &square), &m.number(-k * (n + k)));
        psi = m.add(&psi, &m.div(&many(1.0), &m.number(k)));
        psi = m.add(&psi, &m.div(&many(1.0), &m.number(n + k)));
        series = m.add(&series, &m.mul(&psi, &term));
        k += 1;
    }
    let log = m.ln(&half);
    let log = m.add(&log, &log);
    let first = m.mul(&log, &first_kind(&m, n, x));
    let all = m.sub(&m.sub(&first, &finite), &series);
    let pi = m.pi();
    Some(m.div(&all, &pi))
}

/// A power of a real number; a negative one has integer exponents only.
pub fn power(x: f64, y: f64) -> Option<BigFloat> {
    if y == 0.0 {
        return Some(many(1.0));
    }
    if x == 0.0 {
        let sign = if y.rem_euclid(2.0) == 1.0 { x } else { 0.0 };
        return (y > 0.0).then(|| many(sign));
    }
    if y.fract() == 0.0 && y.abs() < 2e9 {
        let raised = many(x).powi(y.abs() as usize, EXACT, RM);
        return Some(match y < 0.0 {
            true => many(1.0).div(&raised, EXACT, RM),
            false => raised,
        });
    }
    if x < 0.0 || y.abs() > 1e5 {
        return None;
    }
    let mut m = MultiPrecision::new()?;
    // Roots that come out even.
    if (y * 2.0).fract() == 0.0 && y.abs() < 64.0 {
        let root = m.sqrt(&many(x));
        let raised = root.powi((y.abs() * 2.0) as usize, EXACT, RM);
        return Some(match y < 0.0 {
            true => many(1.0).div(&raised, EXACT, RM),
            false => raised,
        });
    }
    let log = m.ln(&many(x));
    let product = m.mul(&log, &many(y));
    Some(m.exp(&product))
}

pub fn complex_product(a: (f64, f64), b: (f64, f64)) -> Pair {
    let product = |x: f64, y: f64| many(x).mul_full_prec(&many(y));
    (
        exact_sum(product(a.0, b.0), product(-a.1, b.1)),
        exact_sum(product(a.0, b.1), product(a.1, b.0)),
    )
}

/// All digits of a sum. (The crate's own sum of a number and zero is not the number.)
fn exact_sum(a: BigFloat, b: BigFloat) -> BigFloat {
    match (a.is_zero(), b.is_zero()) {
        (true, true) if a.is_negative() => b,
        (true, true) => a,
        (true, _) => b,
        (_, true) => a,
        _ => a.add_full_prec(&b),
    }
}

pub fn complex_quotient(a: (f64, f64), b: (f64, f64)) -> Option<Pair> {
    let m = MultiPrecision::new()?;
    let (re, im) = complex_product(a, (b.0, -b.1));
    let below = MultiPrecision::squares(b.0, b.1);
    Some((m.div(&re, &below), m.div(&im, &below)))
}

/// An integer power of a complex number.
pub fn complex_power(x: (f64, f64), n: i64) -> Option<Pair> {
    if n == 0 {
        return Some((many(1.0), many(0.0)));
    }
    let m = MultiPrecision::of(EXACT)?;
    let times = |a: &Pair, b: &Pair| {
        (
            m.sub(&m.mul(&a.0, &b.0), &m.mul(&a.1, &b.1)),
            m.add(&m.mul(&a.0, &b.1), &m.mul(&a.1, &b.0)),
        )
    };
    let (mut left, mut base) = (n.unsigned_abs(), (many(x.0), many(x.1)));
    let mut result: Option<Pair> = None;
    while left > 0 {
        if left & 1 == 1 {
            result = Some(result.map_or_else(|| base.clone(), |r| times(&r, &base)));
        }
        left >>= 1;
        if left > 0 {
            base = times(&base, &base);
        }
    }
    let (re, im) = result?;
    if n > 0 {
        return Some((re, im));
    }
    let below = m.add(&m.mul(&re, &re), &m.mul(&im, &im));
    Some((m.div(&re, &below), m.div(&im, &below).neg()))
}

pub fn complex_sqrt(re: f64, im: f64) -> Option<Pair> {
    if re == 0.0 && im == 0.0 {
        return Some((many(0.0), many(im)));
    }
    let m = MultiPrecision::new()?;
    let half = m.add(&m.hypot(re, im), &many(re.abs()));
    let t = m.sqrt(&m.div(&half, &many(2.0)));
    let s = m.div(&many(im.abs()), &m.add(&t, &t));
    let signed = |v: BigFloat| if im.is_sign_negative() { v.neg() } else { v };
    Some(match re >= 0.0 {
        true => (t, signed(s)),
        false => (s, signed(t)),
    })
}

pub fn complex_exp(re: f64, im: f64) -> Option<Pair> {
    let mut m = MultiPrecision::new()?;
    let size = m.exp(&many(re));
    let (sin, cos) = (m.sin(&many(im)), m.cos(&many(im)));
    Some((m.mul(&size, &cos), m.mul(&size, &sin)))
}

pub fn complex_log(re: f64, im: f64) -> Option<Pair> {
    let mut m = MultiPrecision::new()?;
    let log = m.ln(&MultiPrecision::squares(re, im));
    Some((m.div(&log, &many(2.0)), m.atan2(im, re)))
}

/// SIN and COS, or with the arguments turned SINH and COSH.
pub fn complex_sin_cos(re: f64, im: f64) -> Option<(Pair, Pair)> {
    let mut m = MultiPrecision::new()?;
    let (sin, cos) = (m.sin(&many(re)), m.cos(&many(re)));
    let (sinh, cosh) = (m.sinh(&many(im)), m.cosh(&many(im)));
    Some((
        (m.mul(&sin, &cosh), m.mul(&cos, &sinh)),
        (m.mul(&cos, &cosh), m.mul(&sin, &sinh).neg()),
    ))
}

pub fn complex_tan(re: f64, im: f64) -> Option<Pair> {
    let mut m = MultiPrecision::new()?;
    let (re, im) = (many(2.0 * re), many(2.0 * im));
    let (sin, cos) = (m.sin(&re), m.cos(&re));
    let (sinh, cosh) = (m.sinh(&im), m.cosh(&im));
    let below = m.add(&cos, &cosh);
    Some((m.div(&sin, &below), m.div(&sinh, &below)))
}
