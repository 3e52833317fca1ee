/** The form of what is gathered: it is the one that the page of a report reads. */
export type {
  LeftOut,
  ReportedAttempt,
  ReportedBoot,
  ReportIndex,
} from '../../report/page/embedded-report.ts';
