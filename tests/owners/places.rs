//! What statements can name: objects of derived type and intrinsic data that are reached from the variables of a scope.

use crate::types::{Derived, Form, Kind, Space};

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub what: What,
    /// False for INTENT(IN).
    pub writable: bool,
    /// OPTIONAL: everything about it needs PRESENT.
    pub optional: bool,
}

#[derive(Clone, Debug)]
pub enum What {
    /// Type and whether it is polymorphic.
    Structure(usize, bool, Form),
    /// Rank and form of integer data.
    Data(Space, usize, DataForm),
}

/// How intrinsic data is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataForm {
    Allocatable,
    /// Extent 3 in the first, 2 in the second dimension, from 1.
    Fixed,
}

/// An object of derived type.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    /// What must hold for the designator to be valid.
    pub guards: Vec<String>,
    pub t: usize,
    pub class: bool,
    pub form: Form,
    /// The variable it is part of.
    pub root: String,
    pub writable: bool,
    pub depth: usize,
}

impl Place {
    /// What must hold for it to have a value.
    pub fn value_guards(&self) -> Vec<String> {
        let mut all = self.guards.clone();
        if self.form.allocatable() {
            all.push(format!("allocated({})", self.text));
        }
        if self.form == Form::Pointer {
            all.push(format!("associated({})", self.text));
        }
        all
    }

    /// What must hold for it to have `n` elements.
    pub fn extent_guards(&self, n: i64) -> Vec<String> {
        let mut all = self.value_guards();
        if !matches!(self.form, Form::Fixed(_, m) if m == n) {
            all.push(format!("size({}) == {n}", self.text));
        }
        all
    }
}

/// Integer data.
#[derive(Clone, Debug)]
pub struct Data {
    pub text: String,
    pub guards: Vec<String>,
    pub space: Space,
    pub rank: usize,
    pub form: DataForm,
    pub root: String,
    pub writable: bool,
}

impl Data {
    pub fn allocatable(&self) -> bool {
        self.form == DataForm::Allocatable
    }

    pub fn value_guards(&self) -> Vec<String> {
        let mut all = self.guards.clone();
        if self.allocatable() {
            all.push(format!("allocated({})", self.text));
        }
        all
    }
}

/// Components of components are followed so far.
const DEPTH: usize = 3;

/// Everything that the variables hold.
pub fn reachable(types: &[Derived], variables: &[Variable]) -> (Vec<Place>, Vec<Data>) {
    let (mut places, mut data) = (Vec::new(), Vec::new());
    for v in variables {
        let mut guards = Vec::new();
        if v.optional {
            guards.push(format!("present({})", v.name));
        }
        match v.what {
            What::Structure(t, class, form) => {
                let place = Place {
                    text: v.name.clone(),
                    guards,
                    t,
                    class,
                    form,
                    root: v.name.clone(),
                    writable: v.writable,
                    depth: 0,
                };
                follow(types, place, &mut places, &mut data);
            }
            What::Data(space, rank, form) => data.push(Data {
                text: v.name.clone(),
                guards,
                space,
                rank,
                form,
                root: v.name.clone(),
                writable: v.writable,
            }),
        }
    }
    (places, data)
}

fn follow(types: &[Derived], place: Place, places: &mut Vec<Place>, data: &mut Vec<Data>) {
    if place.depth > DEPTH {
        return;
    }
    let guards = place.value_guards();
    places.push(place.clone());
    let below = |text: String, guards: Vec<String>, t: usize, form: Form| Place {
        text,
        guards,
        t,
        class: false,
        form,
        root: place.root.clone(),
        writable: place.writable,
        depth: place.depth + 1,
    };
    if place.form.array() {
        let name = &place.text;
        let elements = match place.form {
            Form::Fixed(low, n) => vec![
                (low.to_string(), guards.clone()),
                ((low + n - 1).to_string(), guards),
            ],
            _ => {
                let mut filled = guards;
                filled.push(format!("size({name}) > 0"));
                vec![
                    (format!("lbound({name}, 1)"), filled.clone()),
                    (format!("ubound({name}, 1)"), filled),
                ]
            }
        };
        for (index, guards) in elements {
            let mut element = below(format!("{name}({index})"), guards, place.t, Form::Plain);
            element.class = place.class;
            follow(types, element, places, data);
        }
        return;
    }
    if let Some(p) = types[place.t].parent {
        let text = format!("{}%{}", place.text, types[p].name);
        follow(
            types,
            below(text, guards.clone(), p, Form::Plain),
            places,
            data,
        );
    }
    for c in &types[place.t].components {
        let text = format!("{}%{}", place.text, c.name);
        let (space, rank) = match c.kind {
            Kind::Integer(_) => continue,
            Kind::Array(space, rank, _) => (space, rank),
            Kind::Scalar(space) => (space, 0),
            Kind::Part(of, form) => {
                follow(types, below(text, guards.clone(), of, form), places, data);
                continue;
            }
            Kind::Next => {
                let next = below(text, guards.clone(), place.t, Form::Allocatable);
                follow(types, next, places, data);
                continue;
            }
        };
        data.push(Data {
            text,
            guards: guards.clone(),
            space,
            rank,
            form: DataForm::Allocatable,
            root: place.root.clone(),
            writable: place.writable,
        });
    }
}
