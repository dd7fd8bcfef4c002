//! Rate constants of uptake on aerosols and clouds, which functions of a host compute from what it alone knows.

use super::{Resolver, Scope, position, species_of};
use crate::kpp::codes;
use crate::kpp::tree::{Node, Tree};
use crate::scheme::{Expression, Name};
use crate::words::quoted;
use crate::{Diagnostic, Span};

/// The argument with which GEOS-Chem passes its aerosols and clouds.
const AEROSOLS: &str = "state_het";

/// A rate constant that the host gives.
#[derive(Debug)]
pub(in crate::kpp) struct Uptake {
    /// The number of its input.
    pub input: usize,
    /// The name of the input.
    name: String,
    /// What it is a function of, with the function.
    call: String,
    /// Where it is called first.
    at: Span,
}

/// Whether arguments pass the aerosols and clouds of a host.
pub(in crate::kpp) fn is_passed(arguments: &[Tree]) -> bool {
    arguments.iter().any(is_aerosols)
}

fn is_aerosols(argument: &Tree) -> bool {
    matches!(&argument.node, Node::Name(name) if name.eq_ignore_ascii_case(AEROSOLS))
}

/// Tells which rate constants the host has to give.
pub(in crate::kpp) fn tell(uptakes: &[Uptake], found: &mut Vec<Diagnostic>) {
    if uptakes.is_empty() {
        return;
    }
    let message = format!("rate constants of uptake on aerosols and clouds are inputs: {}", uptakes.len());
    let names = quoted(uptakes.iter().map(|uptake| &uptake.name));
    let units = "[1/s], or [cm3/s] with a second reactant";
    let help = format!("give them with the states, {units}: {names}; in a box they are 0 unless --set gives them");
    let note = Diagnostic::note(codes::UPTAKE, message).at_each(uptakes.iter().map(|uptake| uptake.at), "an input");
    found.push(note.help(help));
}

impl Resolver<'_> {
    /// The rate constant of `IuptkBySALA1stOrd( SR_MW(ind_HI), 0.1, State_Het )`, if it is one: an input with the name
    /// `IuptkBySALA1stOrd(HI)`.
    pub(super) fn uptake(
        &mut self,
        name: &str,
        arguments: &[Tree],
        tree: &Tree,
        scope: &Scope<'_>,
    ) -> Option<Expression> {
        // A function of the file counts, and that may stand in another one.
        if !is_passed(arguments) || self.hint.is_some() {
            return None;
        }
        let (mut species, mut all) = (Vec::new(), Vec::new());
        for argument in arguments.iter().filter(|argument| !is_aerosols(argument)) {
            let own = self.species_in(argument, scope);
            let text = scope.part.text.get(argument.from..argument.to).unwrap_or_default();
            let text = text.split_whitespace().collect::<String>();
            all.push(own.clone().unwrap_or(text));
            species.extend(own);
        }
        species.dedup();
        let named = |parts: &[String]| match parts {
            [] => name.to_owned(),
            parts => format!("{name}({})", parts.join(":")),
        };
        let (short, call) = (named(&species), named(&all));
        if let Some(known) = self.uptakes.iter().find(|known| known.call.eq_ignore_ascii_case(&call)) {
            return Some(Expression::Name(Name::Input(known.input)));
        }
        // Two calls may differ in numbers alone.
        let taken = self.uptakes.iter().any(|known| known.name.eq_ignore_ascii_case(&short));
        let name = if taken { call.clone() } else { short };
        let input = position(&mut self.inputs, &name);
        self.uptakes.push(Uptake { input, name, call, at: scope.part.span(tree.from, tree.to) });
        Some(Expression::Name(Name::Input(input)))
    }

    /// The species of `SR_MW(ind_HI)` or `C(ind_HI)`, reported if there is none.
    fn species_in(&mut self, argument: &Tree, scope: &Scope<'_>) -> Option<String> {
        let Node::Call(_, parts) = &argument.node else { return None };
        let [Tree { node: Node::Name(index), .. }] = parts.as_slice() else { return None };
        let lower = index.to_ascii_lowercase();
        let species = species_of(&lower)?;
        let i = self.indexed(species, argument, scope)?;
        self.declared.all.get(i).map(|species| species.name.clone())
    }
}
