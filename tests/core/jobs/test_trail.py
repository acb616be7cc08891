"""What a job said so far: kept, and thinned out."""

from hemcore.jobs.job import MAX_TRAIL, Job


def test_the_notes_are_kept_with_their_progress() -> None:
    job = Job("0" * 64, "training")
    job.running()
    job.report(0.1, "one")
    job.report(0.2, "")
    job.report(0.3, "two")
    assert job.trail == ((0.1, "one"), (0.3, "two"))
    job.cancel()
    job.report(0.4, "three")
    assert job.trail[-1] == (0.3, "two")


def test_of_many_notes_the_first_and_the_last_stay() -> None:
    job = Job("0" * 64, "training")
    job.running()
    for number in range(5 * MAX_TRAIL):
        job.report(number / (5 * MAX_TRAIL), str(number))
    assert len(job.trail) <= MAX_TRAIL
    assert job.trail[0][1] == "0"
    assert job.trail[-1][1] == str(5 * MAX_TRAIL - 1)
    shares = [share for share, _ in job.trail]
    assert shares == sorted(shares)
