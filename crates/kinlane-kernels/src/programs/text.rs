//! The complete source of a kernel: printed programs, and around them the lines of `around/`.

use super::Programs;
use crate::language::{Language, Mapping};
use crate::layout::{HEAD_IN, HEAD_LOG, HEAD_OUT, short_indices};
use crate::role::{COURSE, KEPT, Role};
use kinlane_emit::{Memory, Program, Storage, print, unroll};
use kinlane_solve::methods::control::SLIVER;
use kinlane_solve::record;

/// Most statements of a loop that is written out.
const MOST: usize = 20_000;

/// A kernel as text, and its needs of a work group's memory \[bytes\].
#[derive(Debug)]
pub struct Kernel {
    /// The complete source.
    pub source: String,
    /// Memory of the work group that it asks for at the launch \[bytes\].
    pub shared: usize,
}

/// Number of whole doubles that hold so many single-precision numbers.
pub(super) fn even(singles: usize) -> usize {
    singles.next_multiple_of(2)
}

impl Programs<'_> {
    /// The complete source.
    pub(super) fn text(&self, program: &Program, language: Language, mapping: Mapping, kernel: &str) -> Kernel {
        let mut known: Vec<_> = self.plan.arrays().into_iter().chain(self.stepper.arrays()).collect();
        known.extend(self.apart.arrays().into_iter().filter(|(_, a)| a.len > 0));
        known.push(("leaves", self.leaves));
        known.extend([("dydt", self.dydt)].into_iter().filter(|(_, a)| a.len > 0));
        known.push(("dt", self.dt));
        let blocks = program.placing.blocks.as_ref().map(|b| b.kept);
        known.extend(blocks.map(|kept| ("blocks", kept)));
        let tables = &self.plan.tables;
        let written_out = match mapping {
            Mapping::Thread { unrolled: true, .. } => Some(unroll(program, tables, MOST)),
            _ => None,
        };
        let program = written_out.as_ref().unwrap_or(program);
        let programs = print(program, tables, &known, &language.dialect(mapping));
        let storage = Storage::of(program);
        let around = match mapping {
            Mapping::Thread { .. } => include_str!("../around/thread.c"),
            Mapping::Group { .. } => include_str!("../around/group.c"),
        };
        // Constants on which the host and the kernels must agree.
        let given = self.plan.given_constants();
        let sizes = [
            ("HEAD_IN", HEAD_IN),
            ("HEAD_OUT", HEAD_OUT),
            ("HEAD_LOG", HEAD_LOG),
            ("KEPT_HEAD", KEPT),
            ("GIVEN", given),
            ("BLOCKS", blocks.map_or(0, |kept| kept.len as usize)),
        ];
        let sizes = sizes.map(|(name, size)| format!("#define {name} {size}\n")).concat();
        let source = format!(
            "/* {} species, {}: printed by kinlane. */\n{}#define INDEX {}\n#define LEN {}\n#define SINGLES {}\n#define NEAR {}\n#define CELLS {}\n#define SPECIES {}\n{sizes}\n{programs}{}{around}{}{kernel}",
            self.plan.species,
            self.stepper.method.name,
            language.head(mapping, blocks.is_some()),
            if short_indices(self.plan) { "unsigned short" } else { "unsigned" },
            storage.doubles(self.len_of(program)),
            even(storage.singles()),
            storage.near(),
            self.near.cells,
            self.plan.species,
            language.words(),
            include_str!("../around/load.c")
        );
        Kernel { source, shared: 8 * storage.near() * self.near.cells }
    }

    /// Definitions for `around/record.c`.
    pub(super) fn record_layout(&self, storage: &Storage) -> String {
        let Role::Continuing = self.role else { return String::new() };
        let arrays = self.remembered();
        // Places and lengths; arrays that follow each other are one piece.
        let mut pieces: Vec<(u32, u32)> = Vec::new();
        for a in arrays.iter().filter(|a| a.len > 0) {
            let at = storage.place(a.at, Memory::Double);
            match pieces.last_mut() {
                Some((first, len)) if *first + *len == at => *len += a.len,
                _ => pieces.push((at, a.len)),
            }
        }
        let width = record::width(self.plan.species, &arrays);
        let places = [
            ("KNOWN", record::KNOWN),
            ("END", record::END),
            ("H", record::H),
            ("STATE", record::STATE),
            ("SAVED_ARRAYS", record::saved(self.plan.species)),
            ("RECORDED", width),
            ("COURSE", COURSE),
        ];
        let numbers = [
            ("NOTHING", record::NOTHING),
            ("STEP", record::STEP),
            ("ALL", record::ALL),
            ("FOREVER", record::FOREVER),
            ("SLIVER", SLIVER),
        ];
        let places = places.map(|(name, at)| format!("#define {name} {at}\n")).concat();
        let numbers = numbers.map(|(name, x)| format!("#define {name} {x:?}\n")).concat();
        let pieces: String = pieces.iter().map(|(at, len)| format!(" each({at}, {len})")).collect();
        format!("{places}{numbers}#define ARRAYS(each){pieces}\n")
    }
}
