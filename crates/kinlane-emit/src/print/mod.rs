//! Programs as text, in any dialect of C: the parts before the functions; `body.rs` writes the functions.

mod ahead;
mod body;
mod expression;
mod loops;

use crate::dialect::{Constants, Dialect, SINGLE};
use crate::program::{List, Program, Statement};
use crate::resolve::{calls, places};
use crate::storage::{Memory, Storage};
use body::Body;
use kinlane_plan::machine::{Array, Indices, Reals};
use kinlane_plan::precision::Precision;
use kinlane_plan::tables::Tables;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Longest line of a table.
const LINE: usize = 116;

/// The program as source text. `names` are the names of arrays; other arrays are known by their place only.
pub fn print(p: &Program, tables: &Tables, names: &[(&str, Array)], dialect: &Dialect) -> String {
    let storage = Storage::of(p);
    let arrays = starts(names, &storage);
    let extra = [(Memory::Single, storage.singles()), (Memory::Near, storage.near())];
    let used = extra.into_iter().filter(|m| m.1 > 0).map(|m| m.0);
    let memories = [Memory::Double].into_iter().chain(used).collect();
    let mut printer = Printer {
        d: dialect,
        names: function_names(p),
        places: places(p),
        calls: calls(p),
        arrays,
        storage,
        memories,
        reals: Vec::new(),
        indices: Vec::new(),
        group: p.placing.blocks.as_ref().map_or(0, |b| b.threads),
    };
    let mut functions = String::new();
    let called = called(p);
    for (number, f) in p.functions.iter().enumerate() {
        let Called { alone, together } = called[number];
        if alone || f.result.is_some() || !dialect.group {
            functions.push_str(&Body::new(&mut printer, f, number, false).function());
        }
        if together && f.result.is_none() && dialect.group {
            functions.push_str(&Body::new(&mut printer, f, number, true).function());
        }
    }
    let mut out = dialect.prelude.concat();
    if p.placing.precision != Precision::F64 {
        out.push_str(SINGLE);
    }
    out.push('\n');
    if !names.is_empty() {
        out.push_str("/* Where arrays start in the arena. */\nenum {\n");
        for ((_, at), name) in &printer.arrays {
            put(&mut out, format_args!("    at_{name} = {at},\n"));
        }
        out.push_str("};\n\n");
    }
    let [short, long] = match dialect.constants {
        Constants::Written { short_indices, indices, .. } => [short_indices, indices],
        Constants::Passed { lists, .. } => lists,
    };
    let kind = |list: &[u32]| if list.iter().all(|&i| i <= 0xffff) { short } else { long };
    if let Constants::Written { reals, .. } = dialect.constants {
        for (number, &t) in printer.reals.iter().enumerate() {
            table(&mut out, reals, &format!("R{number}"), tables.get(t).iter().map(|&x| literal(x)));
        }
        for (number, &t) in printer.indices.iter().enumerate() {
            let list = tables.list(t);
            table(&mut out, kind(list), &format!("N{number}"), list.iter().map(u32::to_string));
        }
    }
    if let Some(b) = &p.placing.blocks {
        for (list, entries) in [(List::Order, &b.order), (List::Places, &b.places)] {
            table(&mut out, kind(entries), name_of_list(list), entries.iter().map(u32::to_string));
        }
    }
    out.push_str(&functions);
    out
}

/// A memory and a place in it.
type Place = (Memory, u32);

/// The name of a memory.
fn name_of(memory: Memory) -> &'static str {
    match memory {
        Memory::Double => "w",
        Memory::Single => "v",
        Memory::Near => "u",
    }
}

/// The name of a list of the program.
fn name_of_list(list: List) -> &'static str {
    match list {
        List::Order => "ORDER",
        List::Places => "PLACES",
    }
}

/// Names by place; arrays that share a place, since they are used at different times, share a name.
fn starts(names: &[(&str, Array)], storage: &Storage) -> BTreeMap<Place, String> {
    let mut starts: BTreeMap<Place, String> = BTreeMap::new();
    for &(name, a) in names.iter().filter(|(_, a)| a.len > 0) {
        let memory = storage.memory(a);
        if memory == Memory::Single && !storage.holds(a) {
            continue;
        }
        let place = (memory, storage.place(a.at, memory));
        starts.entry(place).and_modify(|all| put(all, format_args!("_or_{name}"))).or_insert_with(|| name.to_owned());
    }
    starts
}

/// Writing to a string cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

fn table(out: &mut String, kind: &str, name: &str, values: impl ExactSizeIterator<Item = String>) {
    put(out, format_args!("{kind} {name}[{}] = {{", values.len()));
    let mut line = LINE;
    for v in values {
        if line + v.len() + 2 > LINE {
            out.push_str("\n   ");
            line = 3;
        }
        put(out, format_args!(" {v},"));
        line += v.len() + 2;
    }
    out.push_str("\n};\n\n");
}

/// The shortest decimal number that reads back as the same bits.
fn literal(x: f64) -> String {
    if x.is_nan() {
        "NAN".to_owned()
    } else if x.is_infinite() {
        if x > 0.0 { "INFINITY" } else { "-INFINITY" }.to_owned()
    } else {
        format!("{x:?}")
    }
}

/// Who calls a function, where a group of threads shares a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Called {
    /// A single thread, in its turn of an independent loop.
    alone: bool,
    /// The whole group.
    together: bool,
}

fn called(p: &Program) -> Vec<Called> {
    fn visit(body: &[Statement], by: Called, all: &mut [Called]) {
        for s in body {
            match s {
                Statement::Call { function, .. } => {
                    let c = &mut all[*function];
                    *c = Called { alone: c.alone || by.alone, together: c.together || by.together };
                }
                Statement::Loop(l) if l.independent => {
                    visit(&l.body, Called { alone: by.alone || by.together, together: false }, all);
                }
                Statement::Loop(l) => visit(&l.body, by, all),
                Statement::If(_, body) => visit(body, by, all),
                Statement::Define(_) | Statement::Put(..) | Statement::PutOwn(..) => {}
            }
        }
    }
    let mut all: Vec<Called> = p.functions.iter().map(|f| Called { alone: false, together: f.entry }).collect();
    // Callers come after the functions that they call.
    for number in (0..p.functions.len()).rev() {
        let by = all[number];
        visit(&p.functions[number].body, by, &mut all);
    }
    all
}

/// Entries keep their names; of other functions with the same name, the second gets a 2.
fn function_names(p: &Program) -> Vec<String> {
    let mut used: HashMap<&str, u32> = p.functions.iter().filter(|f| f.entry).map(|f| (&*f.name, 1)).collect();
    let mut names = Vec::with_capacity(p.functions.len());
    for f in &p.functions {
        let n = used.entry(&f.name).or_default();
        *n += u32::from(!f.entry);
        names.push(if f.entry || *n == 1 { f.name.clone() } else { format!("{}_{n}", f.name) });
    }
    names
}

struct Printer<'a> {
    d: &'a Dialect,
    /// Names of the functions.
    names: Vec<String>,
    /// Places of their array parameters, for which all calls agree.
    places: Vec<Vec<Option<u32>>>,
    /// Number of calls in the text.
    calls: Vec<usize>,
    /// Names of arrays, by place.
    arrays: BTreeMap<Place, String>,
    /// The memories, and the places of arrays in them.
    storage: Storage,
    /// The memories in use.
    memories: Vec<Memory>,
    /// Tables in use, in the order of first use.
    reals: Vec<Reals>,
    indices: Vec<Indices>,
    /// Number of threads of a group whose registers keep factors.
    group: usize,
}
