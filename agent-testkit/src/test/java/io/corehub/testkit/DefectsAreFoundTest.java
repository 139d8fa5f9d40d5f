package io.corehub.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each step of the contract can fail: a mistake in an agent is found by the step made for it. */
class DefectsAreFoundTest {

  /** A mistake whose threads happen to run in a harmless order is met by one of a few runs. */
  private static final int RUNS = 20;

  @FunctionalInterface
  interface Step {
    void run(TargetAgentContractTest contract) throws Exception;
  }

  static Stream<Arguments> defects() {
    return Stream.of(
        found(
            Defect.CHECK_WRITES, LifeCycleContract::checkFindsAReadyTargetInOrderAndWritesNothing),
        found(
            Defect.CONFIRMS_BEFORE_PUBLISHING,
            ConfirmationContract::onlyWhatStandsInTheTargetIsConfirmed),
        found(
            Defect.CONFIRMS_BEFORE_PUBLISHING,
            ConfirmationContract::theSlowestTableDecidesWhatIsConfirmed),
        found(
            Defect.CONFIRMS_BEFORE_PUBLISHING,
            ConfirmationContract::aCommitOfTwoTablesIsConfirmedWhenBothStandThere),
        found(
            Defect.CONFIRMS_UNFINISHED_COMMITS,
            ConfirmationContract::aBigCommitIsConfirmedOnlyWithItsLastPart),
        found(
            Defect.FORGETS_EMPTY_COMMITS,
            ConfirmationContract::commitsThatTouchNoTableAreConfirmedInTheirTurn),
        found(
            Defect.COMPARES_POSITIONS_SIGNED,
            ReplayContract::unsignedPositionsAreSkippedOnReplayToo),
        found(
            Defect.KEEPS_ROWS_OF_A_RECREATED_TABLE,
            RecreationContract::aRecreatedTableIsLoadedAnewWhileTheOthersGoOn),
        found(
            Defect.KEEPS_ROWS_OF_A_RECREATED_TABLE,
            RecreationContract::aTableThatNobodyOpenedCanBeRecreated),
        found(Defect.ACCEPTS_OLDER_POSITIONS, LifeCycleContract::positionsThatGoBackAreRefused),
        found(
            Defect.PUBLISHES_REPLAYED_COMMITS_AGAIN,
            ReplayContract::replayedCommitsOfAKeylessTableAreSkipped),
        found(
            Defect.PUBLISHES_REPLAYED_COMMITS_AGAIN,
            ReplayContract::tablesThatWereAheadOfTheConfirmedPositionEndTheSame),
        found(
            Defect.PUBLISHES_REPLAYED_COMMITS_AGAIN,
            RandomHistoryContract::randomHistoriesWithCrashesEndAsTheModelSays),
        found(
            Defect.FORGETS_HOW_FAR_A_BIG_COMMIT_CAME,
            ReplayContract::aBigCommitCutByACrashGoesOnWhereItStopped),
        found(
            Defect.FORGETS_HOW_FAR_A_BIG_COMMIT_CAME,
            ReplayContract::aBigCommitCutByACrashMayComeInOtherParts),
        found(
            Defect.KEEPS_ROWS_OF_AN_UNFINISHED_SNAPSHOT,
            SnapshotContract::anInterruptedSnapshotIsTakenAgainWithoutDoublingRows),
        found(
            Defect.KEEPS_ROWS_OF_AN_UNFINISHED_SNAPSHOT,
            SnapshotContract::anInterruptedSnapshotOfAKeylessTableIsTakenAgainWithoutDoublingRows),
        found(
            Defect.KEEPS_ROWS_OF_AN_UNFINISHED_SNAPSHOT,
            SnapshotContract::anAbortedSnapshotIsTakenAgainInTheSameRunWithoutDoublingRows),
        found(
            Defect.FORGETS_FINISHED_SNAPSHOTS,
            SnapshotContract::aFinishedSnapshotIsReportedThoughTheHubForgotIt),
        found(Defect.HIDES_EMPTY_TABLES, SnapshotContract::anEmptySnapshotMakesTheTableAppear),
        found(
            Defect.IGNORES_THE_CLOCK,
            LifeCycleContract::aWindowClosesByTheClockThoughNoOtherCommitComes),
        found(
            Defect.FLUSHES_ONE_TABLE_ONLY,
            LifeCycleContract::flushPublishesEveryTableAndConfirmsEverything),
        found(
            Defect.CONFIRMS_AFTER_CLOSE,
            LifeCycleContract::closeGivesUpWhatIsNotPublishedAndConfirmsNothingAfterwards),
        found(
            Defect.LEAVES_A_THREAD,
            LifeCycleContract::closeEndsInTimeAndLeavesNoThreadThoughTheTargetDoesNotAnswer),
        found(
            Defect.WRITES_KEY_CHANGES_EVENT_BY_EVENT,
            RandomHistoryContract::randomHistoriesEndAsTheModelSays),
        found(
            Defect.WRITES_KEY_CHANGES_EVENT_BY_EVENT,
            RandomHistoryContract::randomHistoriesCommitByCommitEndAsTheModelSays),
        found(
            Defect.FOLLOWS_CHANGED_TYPES,
            SchemaContract::aChangedTypeStopsTheTableBeforeAnythingOfTheNewShapeIsPublished),
        found(Defect.DROPS_ADDED_COLUMNS, SchemaContract::anAddedColumnIsFollowedWithinOneBatch),
        found(
            Defect.WRITES_UNDELIVERED_AS_NULL,
            StopContract::aCellThatWasNotDeliveredNeverBecomesNull),
        found(
            Defect.CONFIRMS_PAST_A_STOPPED_TABLE,
            StopContract::aStoppedTableHoldsThePositionAndLeavesTheOthersRunning),
        found(
            Defect.HOLDS_CONFIRMATIONS_OF_REMOVED_TABLES,
            StopContract::removingAStoppedTableLetsTheConfirmationsGoOn),
        found(Defect.FORGETS_REMOVED_TABLES, StopContract::aRemovedTableStaysOutAfterARestart),
        found(Defect.FORGETS_REMOVED_TABLES, StopContract::aTableThatNobodyOpenedCanBeRemoved),
        found(
            Defect.GOES_ON_WITH_TABLES_LEFT_OUT,
            StopContract::aTableThatIsLeftOutWhileThePositionMovesComesBackAnewAlone),
        found(Defect.KEEPS_FILES_TO_ITSELF, ProgressContract::everyFileIsToldOnceWithItsRows),
        found(Defect.TELLS_A_FILE_TWICE, ProgressContract::everyFileIsToldOnceWithItsRows),
        found(
            Defect.TELLS_THE_FIRST_SHAPE_ALONE,
            ProgressContract::theShapeOfATableIsToldAndEveryChangeOfIt),
        found(
            Defect.CALLS_A_LOST_SNAPSHOT_COMPLETE,
            ProgressContract::aSnapshotThatIsGivenUpIsToldAsSuch),
        found(Defect.FORGETS_REMOVED_TABLES, StopContract::aRemovedTableStaysOutAfterARestart),
        found(Defect.FORGETS_REMOVED_TABLES, StopContract::aTableThatNobodyOpenedCanBeRemoved),
        found(
            Defect.TAKES_WITHOUT_BOUND,
            PressureContract::applyBlocksWhileMemoryIsSpentAndAnInterruptedCallTookNothing),
        found(
            Defect.TAKES_WITHOUT_BOUND,
            PressureContract::writeBlocksWhileMemoryIsSpentAndAnInterruptedCallTookNothing),
        found(
            Defect.KEEPS_WHAT_AN_INTERRUPTED_CALL_BROUGHT,
            PressureContract::writeBlocksWhileMemoryIsSpentAndAnInterruptedCallTookNothing),
        found(
            Defect.KEEPS_WHAT_AN_INTERRUPTED_CALL_BROUGHT,
            PressureContract::applyBlocksWhileMemoryIsSpentAndAnInterruptedCallTookNothing),
        found(Defect.PROBES_LEAVE_A_TABLE, ProbeContract::probesHoldOnAGoodTargetAndLeaveItAsItWas),
        found(Defect.TELLS_A_PROBE_TWICE, ProbeContract::probesHoldOnAGoodTargetAndLeaveItAsItWas),
        found(Defect.TELLS_A_LINE_FEED, ProbeContract::probesHoldOnAGoodTargetAndLeaveItAsItWas),
        found(Defect.PROBES_WRITE_TO_OTHER_TABLES, ProbeContract::probesTouchNoTableOfThePipeline),
        found(
            Defect.PROBES_LEAVE_A_TABLE_WHEN_THE_HOST_FAILS,
            ProbeContract::probesWhoseHostFailsLeaveNothingBehind),
        found(
            Defect.PROBES_DO_NOT_HEAR_AN_INTERRUPT,
            ProbeContract::interruptedProbesLeaveNothingBehindOrSaySo));
  }

  private static Arguments found(Defect defect, Step step) {
    return arguments(defect, step);
  }

  @ParameterizedTest(name = "{0} ({index})")
  @MethodSource("defects")
  void aMistakeIsFound(Defect defect, Step step) {
    assertThat(IntStream.range(0, RUNS).allMatch(run -> passes(defect, step)))
        .as("the step passes %s times although %s", RUNS, defect)
        .isFalse();
  }

  @Test
  void everyMistakeHasAStep() {
    Set<Object> covered =
        defects().map(arguments -> arguments.get()[0]).collect(Collectors.toSet());

    assertThat(covered)
        .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(Defect.NONE)));
  }

  private static boolean passes(Defect defect, Step step) {
    TargetAgentContractTest contract = new ImpatientContract(defect);
    contract.setUpBench();
    try {
      try {
        step.run(contract);
      } finally {
        contract.closeBench();
      }
      return true;
    } catch (Exception | AssertionError found) {
      return false;
    }
  }
}
