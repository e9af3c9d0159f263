import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

// docs/spec.md has a table row for each requirement of the specification: its id, the requirement, the files
// that fulfil it, its tests. A comment such as `// spec: 2.7, 4.1` directly above a test names the
// requirements that the test tests. `npm run generate` writes the last column of the table from these
// comments. tests/spec.test.ts checks the comments and the table.

const root = join(import.meta.dirname, '..')

/** A test, and the ids of the requirements that it tests. */
export interface SpecRequirementIdsOfTest {
  path: string
  /**
   * The titles of the `describe` blocks around the test, and last the test's own title, as they are in the
   * source.
   */
  titles: string[]
  ids: string[]
}

/** A row of docs/spec.md. */
export interface SpecRequirement {
  /**
   * The section and the number of the requirement, such as 2.7. A new requirement gets the next number of its
   * section.
   */
  id: string
  section: string
  requirement: string
  where: string
  tests: string
}

/** Returns the paths and texts of all test files, sorted by path. */
export const readAllTestSourceFiles = () =>
  globSync('{core,demo,features,tests}/**/*.{test,spec}.ts', { cwd: root })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/**
 * Returns the tests of one file that have a `// spec:` comment, with the ids in the comment. `faults`
 * describes the comments that are not above a test, or that name no id.
 */
export function parseCitations(
  path: string,
  text: string,
): { citations: SpecRequirementIdsOfTest[]; faults: string[] } {
  const citations: SpecRequirementIdsOfTest[] = []
  const faults: string[] = []
  if (!text.includes('// spec:')) return { citations, faults }
  const { program, comments } = parseSync(path, text)
  const { calls, loops } = callsIn(program, text)
  for (const { value, end: after } of comments) {
    const given = /^ spec: (.*)$/.exec(value)?.[1]
    if (given === undefined) continue
    const ids = given.split(', ')
    const start = inLoops(skipComments(text, after, comments), loops)
    const test = calls.find((call) => call.start === start)
    if (!ids.every((id) => /^\d+\.\d+$/.test(id))) faults.push(`${path}: “${given}” is no list of ids`)
    else if (!test) faults.push(`${path}: “spec: ${given}” stands above no test that runs`)
    else citations.push({ path, titles: titlesOf(test, calls), ids })
  }
  return { citations, faults }
}

type Call = { start: number; end: number; title: string }

/**
 * Returns the calls of `test` and `describe` in a source file that have a title and are not skipped. Also
 * returns the loops, because Biome moves a comment from the body of a loop without braces to the line above
 * the loop, and such a comment belongs to the test in the body.
 */
function callsIn(program: ESTree.Program, text: string) {
  const calls: Call[] = []
  /** The offset in the source text of each loop's body, by the offset of the loop. */
  const loops = new Map<number, number>()
  new Visitor({
    ForOfStatement: ({ start, body }) => void loops.set(start, body.start),
    CallExpression({ start, end, callee, arguments: [title] }) {
      const names = namesOf(callee)
      if (!names || !title || names.some((name) => notRun.has(name))) return
      if (title.type === 'Literal' && typeof title.value === 'string')
        calls.push({ start, end, title: title.value })
      else if (title.type === 'TemplateLiteral')
        calls.push({ start, end, title: text.slice(title.start + 1, title.end - 1) })
    },
  }).visit(program)
  return { calls: calls.sort((a, b) => a.start - b.start), loops }
}

/**
 * Returns the offset of the loop's body if a loop begins at this offset of the source text (in nested loops,
 * that of the innermost body), otherwise the offset itself.
 */
function inLoops(offset: number, loops: Map<number, number>): number {
  const body = loops.get(offset)
  return body === undefined ? offset : inLoops(body, loops)
}
const notRun = new Set(['skip', 'todo', 'fixme', 'fails', 'step'])

/**
 * Returns the names in the callee of a function call, such as `test` and `each` for `test.each(rows)`; null
 * if the callee does not begin with `test` or `describe`.
 */
function namesOf(callee: ESTree.Expression | ESTree.Super): string[] | null {
  if (callee.type === 'Identifier') return ['test', 'describe'].includes(callee.name) ? [callee.name] : null
  if (callee.type === 'CallExpression') return namesOf(callee.callee)
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return null
  const names = namesOf(callee.object)
  return names && [...names, callee.property.name]
}

const titlesOf = (test: Call, calls: Call[]) =>
  calls.filter(({ start, end }) => start <= test.start && end >= test.end).map(({ title }) => title)

/**
 * Returns the offset of the first code after this offset of the source text that is neither space nor
 * comment.
 */
function skipComments(text: string, offset: number, comments: { start: number; end: number }[]): number {
  const next = offset + /^\s*/.exec(text.slice(offset))![0].length
  const comment = comments.find(({ start }) => start === next)
  return comment ? skipComments(text, comment.end, comments) : next
}

/**
 * Returns the rows of all tables in docs/spec.md, whose text is `page`. The section of a row is the last `##`
 * heading before the row.
 */
export function parseSpecRequirements(page: string): SpecRequirement[] {
  let section = ''
  return page.split('\n').flatMap((line) => {
    section = /^## (.+)/.exec(line)?.[1] ?? section
    const [id, requirement = '', where = '', tests = ''] = cellsOf(line)
    return id ? { id, section, requirement, where, tests } : []
  })
}

/** Returns the cells of a Markdown table row with a requirement; an empty array for any other line. */
const cellsOf = (line: string) =>
  /^\| (?!id \|)/.test(line)
    ? line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
    : []

/** Returns the text of docs/spec.md (`page`) with the tests of each requirement in the last column. */
export const fillTestColumn = (page: string, citations: SpecRequirementIdsOfTest[]) =>
  page
    .split('\n')
    .map((line) => {
      const [id, requirement, where] = cellsOf(line)
      return id ? `| ${[id, requirement, where, testsOf(id, citations)].join(' | ')} |` : line
    })
    .join('\n')

const testsOf = (id: string, citations: SpecRequirementIdsOfTest[]) =>
  citations
    .filter(({ ids }) => ids.includes(id))
    .map(({ path, titles }) => `\`${[path, ...titles].join(' › ').replaceAll('|', '\\|')}\``)
    .join('<br>') || '–'

export const parseAllCitations = (sources: { path: string; text: string }[]) => {
  const found = sources.map(({ path, text }) => parseCitations(path, text))
  return {
    citations: found.flatMap(({ citations }) => citations),
    faults: found.flatMap(({ faults }) => faults),
  }
}

/**
 * Returns the text of docs/spec.md with the last column updated from the `// spec:` comments in all tests.
 */
export const fillFromAllTests = (page: string) =>
  fillTestColumn(page, parseAllCitations(readAllTestSourceFiles()).citations)
