import { randomInt } from 'node:crypto'
import * as v from 'valibot'
import type { AppContext } from '#core/context.ts'
import type { Language, Sentence } from '#core/contract.ts'
import { nullableReading, shortName } from '#core/schemas.ts'
import { foldNameForSearch } from '#core/text/fold-names.ts'
import * as readGroups from '#features/groups/read.ts'
import * as accounts from '#features/people/accounts.ts'
import { handleOfReading, numberedHandles, parseHandle, suggestHandle } from '#features/people/handles.ts'
import type { CheckedRow, GivenRow, ListPreview, RowNote } from './contract.ts'

// Checks row by row, so that the admin sees the errors of all rows before any account is created.

const MAX_NAME_LENGTH = 255
/**
 * From a reading or a name come handles such as `aya` and `aya2`. If all are taken, random ones such as
 * `m48213` are tried.
 */
const CANDIDATES_OF_NAME = 10
const RANDOM_HANDLES_OF_ROW = 3

const messages = {
  noName: { en: 'The name is missing.', ja: '名前がありません。' },
  nameTooLong: {
    en: `The name has more than ${MAX_NAME_LENGTH} characters.`,
    ja: `名前は${MAX_NAME_LENGTH}文字以内にしてください。`,
  },
  nameTwice: { en: 'This name is in the list more than once.', ja: '同じ名前が名簿に複数あります。' },
  nameKnown: { en: 'A member with this name exists already.', ja: '同じ名前のメンバーがすでにいます。' },
  wrongReading: {
    en: 'The reading takes hiragana, katakana or Latin letters, at most 255.',
    ja: 'ふりがなは、ひらがな、カタカナ、ローマ字のどれかで、255文字までです。',
  },
  groupTooLong: {
    en: `The name of the group has more than ${MAX_NAME_LENGTH} characters.`,
    ja: `グループ名は${MAX_NAME_LENGTH}文字以内にしてください。`,
  },
  groupTwice: {
    en: 'There are several groups with this name. Rename all but one.',
    ja: '同じ名前のグループが複数あります。1つを残して名前を変えてください。',
  },
  groupFull: (name: string, max: number) => ({
    en: `The group “${name}” would be too large: a group can have ${max} members.`,
    ja: `グループ「${name}」の人数が上限を超えます（${max}人まで）。`,
  }),
  wrongHandle: {
    en: 'A handle consists of 1 to 30 letters, digits or underscores.',
    ja: 'IDに使えるのは、文字、数字、_（アンダーバー）だけで、30文字までです。',
  },
  handleTwice: { en: 'This handle is in the list more than once.', ja: '同じIDが名簿に複数あります。' },
  handleTaken: { en: 'This handle has already been taken.', ja: 'このIDはすでに使われています。' },
} satisfies Record<string, Sentence | ((name: string, max: number) => Sentence)>

const nameSchema = shortName(MAX_NAME_LENGTH)

/** As it is stored; undefined if it is too long; null if nothing is left of which a name could be made. */
function parseName(given: string | null) {
  const { success, output, issues } = v.safeParse(nameSchema, given ?? '')
  if (success) return output
  return issues[0].message.startsWith('max') ? undefined : null
}

const readingSchema = nullableReading(MAX_NAME_LENGTH)

/** As it is stored; null if there is none; undefined if it has other letters, or is too long. */
function parseReading(given: string | null) {
  const { success, output } = v.safeParse(readingSchema, given)
  return success ? output : undefined
}

const findRepeated = (values: readonly (string | null | undefined)[]) =>
  new Set(values.filter((value, index) => value && values.indexOf(value) !== index))

/** Handles such as `m48213`, for names that cannot be typed on every keyboard. */
const createNumberHandles = () =>
  Array.from({ length: RANDOM_HANDLES_OF_ROW }, () => `m${randomInt(10_000, 100_000)}`)

/** In the order in which they are tried. */
function listCandidates(name: string, reading: string | null) {
  const base = (reading && handleOfReading(reading)) || suggestHandle(foldNameForSearch(name))
  const ofName = /^[a-z0-9_]+$/.test(base) ? numberedHandles(base).slice(0, CANDIDATES_OF_NAME) : []
  return [...ofName, ...createNumberHandles()]
}

interface ParsedRow {
  given: GivenRow
  name: string | null | undefined
  reading: string | null | undefined
  group: string | null | undefined
  /** As the admin entered it; null if there is none, undefined if it is malformed. */
  handle: string | null | undefined
  /** Without a handle, the first free one of these is suggested. */
  candidates: readonly string[]
}

function parseRow(given: GivenRow): ParsedRow {
  const name = parseName(given.name)
  const handle = given.handle === null ? null : (parseHandle(given.handle) ?? undefined)
  const reading = parseReading(given.reading)
  const candidates = handle === null && name ? listCandidates(name, reading ?? null) : []
  return { given, name, reading, group: parseName(given.group), handle, candidates }
}

/** One query for each table reads what exists already. Also finds what occurs in several rows. */
async function readExisting({ db }: Pick<AppContext, 'db'>, rows: readonly ParsedRow[]) {
  const names = rows.flatMap(({ name }) => (name ? [foldNameForSearch(name)] : []))
  const handles = rows.flatMap(({ handle, candidates }) => [...(handle ? [handle] : []), ...candidates])
  return {
    names: await accounts.takenNames(db, [...new Set(names)]),
    handles: await accounts.takenHandles(db, [...new Set(handles)]),
    groups: await readGroups.listUnowned(db, [...new Set(rows.flatMap(({ group }) => group ?? []))]),
    repeatedNames: findRepeated(rows.map(({ name }) => name && foldNameForSearch(name))),
    repeatedHandles: findRepeated(rows.map(({ handle }) => handle)),
  }
}
type Existing = Awaited<ReturnType<typeof readExisting>>

/** Counts the rows before. The admin who creates a new group is a member of it too. */
function findRowsBeyondGroupSize(rows: readonly ParsedRow[], { groups }: Existing, max: number) {
  if (!max) return new Set<ParsedRow>()
  const sizes = new Map(groups.map(({ name, members_count }) => [name, members_count]))
  return new Set(
    rows.filter(({ group }) => {
      if (!group) return false
      const size = (sizes.get(group) ?? 1) + 1
      sizes.set(group, size)
      return size > max
    }),
  )
}

function* findProblems({ name, reading, group, handle }: ParsedRow, existing: Existing) {
  if (name === null) yield ['error', 'name', messages.noName] as const
  if (name === undefined) yield ['error', 'name', messages.nameTooLong] as const
  if (name && existing.repeatedNames.has(foldNameForSearch(name)))
    yield ['warning', 'name', messages.nameTwice] as const
  if (name && existing.names.has(foldNameForSearch(name)))
    yield ['warning', 'name', messages.nameKnown] as const
  if (reading === undefined) yield ['error', 'reading', messages.wrongReading] as const
  if (group === undefined) yield ['error', 'group', messages.groupTooLong] as const
  if (group && existing.groups.filter((one) => one.name === group).length > 1)
    yield ['error', 'group', messages.groupTwice] as const
  if (handle === undefined) yield ['error', 'handle', messages.wrongHandle] as const
  if (handle && existing.repeatedHandles.has(handle)) yield ['error', 'handle', messages.handleTwice] as const
  if (handle && existing.handles.has(handle)) yield ['error', 'handle', messages.handleTaken] as const
}

/** `groupIds` has the existing groups by name. */
export interface CheckedList extends ListPreview {
  groupIds: ReadonlyMap<string, number>
}

/** Suggests a free handle for each row that has none. Stores nothing. */
export async function checkList(
  context: Pick<AppContext, 'db' | 'settings'>,
  given: readonly GivenRow[],
  lang: Language,
): Promise<CheckedList> {
  const parsed = given.map(parseRow)
  const existing = await readExisting(context, parsed)
  const { max_group_members } = context.settings.current()
  const beyondGroupSize = findRowsBeyondGroupSize(parsed, existing, max_group_members)
  const used = new Set(parsed.map(({ handle }) => handle))
  const rows = parsed.map((row): CheckedRow => {
    const isFree = (handle: string) => !existing.handles.has(handle) && !used.has(handle)
    const made = row.candidates.find(isFree) ?? null
    if (made) used.add(made)
    const notes = Array.from(
      findProblems(row, existing),
      ([kind, column, message]): RowNote => ({ kind, column, message: message[lang] }),
    )
    if (beyondGroupSize.has(row)) {
      const message = messages.groupFull(row.group!, max_group_members)[lang]
      notes.push({ kind: 'error', column: 'group', message })
    }
    return {
      name: row.name ?? row.given.name ?? '',
      reading: row.reading === undefined ? row.given.reading : row.reading,
      // Null if the cell has only characters that are not stored, such as invisible ones.
      group: row.group === undefined ? row.given.group : row.group,
      handle: row.handle ?? made ?? row.given.handle,
      is_handle_made: made !== null,
      notes,
    }
  })
  const groupIds = new Map(existing.groups.map(({ id, name }) => [name, id]))
  const names = [...new Set(rows.flatMap(({ group }) => group ?? []))]
  const groups = names.map((name) => ({
    name,
    is_new: !groupIds.has(name),
    members: rows.filter(({ group }) => group === name).length,
  }))
  return { rows, groups, groupIds }
}

/** Has rows, and none with an error; warnings are allowed. */
export const isAcceptable = ({ rows }: ListPreview) =>
  rows.length > 0 &&
  rows.every(({ handle, notes }) => handle !== null && notes.every(({ kind }) => kind !== 'error'))
