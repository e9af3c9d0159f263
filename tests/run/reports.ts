import { relative } from 'node:path'

/** The tests of one part of a run. */
export interface Tests {
  passed: number
  failed: number
  skipped: number
  /** The test files with the seconds that each took. */
  files: { file: string; seconds: number }[]
  /** A text for each failed test: its file, its name and its error. */
  broken: string[]
  /** The skipped tests. */
  notRun: string[]
  /** The tests that failed first and passed when CI tried them again. */
  flaky: string[]
}

export interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: VitestFile[]
}
interface VitestFile {
  name: string
  status: string
  message?: string
  startTime: number
  endTime: number
  assertionResults: VitestTest[]
}
type VitestTest = { fullName: string; status: string; failureMessages?: string[] }

export function readVitest(report: Partial<VitestReport>, root: string): Tests {
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report
  const results = (report.testResults ?? []).map((file) => ({ ...file, name: relative(root, file.name) }))
  const broken = results.filter(({ status }) => status === 'failed').flatMap(failuresIn)
  return {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, broken.length),
    skipped: numPendingTests + numTodoTests,
    files: results.map(({ name, startTime, endTime }) => ({
      file: name,
      seconds: (endTime - startTime) / 1000,
    })),
    broken,
    notRun: named(({ status }) => status !== 'passed' && status !== 'failed'),
    // Vitest keeps the errors of the first try.
    flaky: named(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0),
  }

  function named(is: (test: VitestTest) => boolean) {
    return results.flatMap(({ name, assertionResults }) =>
      assertionResults.filter(is).map(({ fullName }) => `${name} › ${fullName}`),
    )
  }
}

/** A file that failed outside of its tests has one text. */
function failuresIn({ name, message = '', assertionResults }: VitestFile): string[] {
  const tests = assertionResults.filter(({ status }) => status === 'failed')
  if (tests.length === 0) return [`${name}: ${firstLine(message)}`]
  return tests.map(
    ({ fullName, failureMessages = [] }) => `${name} › ${fullName}: ${firstLine(failureMessages[0] ?? '')}`,
  )
}

const firstLine = (text: string) => text.split('\n', 1)[0]

export interface PlaywrightReport {
  stats: { expected: number; flaky: number; unexpected: number; skipped: number }
  errors: { message?: string }[]
  suites: Suite[]
}
/** A test file or a `describe` group. The line of a file is 0. */
interface Suite {
  title: string
  file: string
  line: number
  specs?: Spec[]
  suites?: Suite[]
}
interface Spec {
  title: string
  line: number
  tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[]
}

export function readPlaywright({ stats, errors = [], suites = [] }: Partial<PlaywrightReport>): Tests {
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = stats ?? {}
  const specs = suites.flatMap((suite) => specsIn(suite))
  const isEnd = (wanted: string) => (spec: (typeof specs)[number]) =>
    spec.tests.some(({ status }) => status === wanted)
  const seconds = (file: string) => {
    const results = specs.filter((spec) => spec.file === file).flatMap(({ tests }) => tests)
    return results.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration / 1000, 0)
  }
  return {
    passed: expected + flaky,
    failed: unexpected + errors.length,
    skipped,
    files: suites.map(({ file }) => ({ file: `tests/browser/${file}`, seconds: seconds(file) })),
    broken: [
      ...specs.filter(isEnd('unexpected')).map(({ name, tests }) => {
        const { error } = tests.flatMap(({ results }) => results).find((result) => result.error) ?? {}
        return `${name}: ${firstLine(error?.message ?? '')}`
      }),
      ...errors.map(({ message = '' }) => firstLine(message) ?? ''),
    ],
    notRun: specs.filter(isEnd('skipped')).map(({ name }) => name),
    flaky: specs.filter(isEnd('flaky')).map(({ name }) => name),
  }
}

/** Returns the tests of a file or group, each with a name in the format of Playwright. */
function specsIn(
  { title, file, line, specs = [], suites = [] }: Suite,
  groups: string[] = [],
): (Spec & { name: string; file: string })[] {
  const within = line ? [...groups, title] : groups
  return [
    ...specs.map((spec) => ({
      ...spec,
      file,
      name: [`${file}:${spec.line}`, ...within, spec.title].join(' › '),
    })),
    ...suites.flatMap((suite) => specsIn(suite, within)),
  ]
}
