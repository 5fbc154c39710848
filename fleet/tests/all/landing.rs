//! The straight way, from a task to a landing.

use crate::fleet::{fleet, scenario};

#[test]
fn a_task_goes_through_a_machine_and_an_approval_to_one_landing_on_the_remote() {
    let Some(fleet) = fleet() else { return };
    let machine = fleet.machine("a", &[]);
    let run = fleet.submit(&scenario(0), &[]);
    fleet.wait_for(&run, "AWAITING_APPROVAL");
    let approved = fleet.run(&["approve", &run]);
    assert_eq!(approved.code, 0, "{approved}\n{}", machine.running.stderr());
    fleet.wait_for(&run, "SUCCESS");
    fleet.landed_once(&run);
    let refs = fleet.git(&["for-each-ref", "--format=%(refname)", "refs/proctor"]);
    assert!(refs.lines().count() > 5, "every step has its ref:\n{refs}");
    let listed = fleet.run(&["list", "--all"]);
    assert!(listed.stdout.contains(&run), "{listed}");
}
