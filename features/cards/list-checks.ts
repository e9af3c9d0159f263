import { randomInt } from 'node:crypto'
import * as v from 'valibot'
import type { AppContext } from '#core/context.ts'
import { type BilingualSentence, createNameSchema, type Language } from '#core/contract.ts'
import { foldNameForSearch } from '#core/unicode.ts'
import { listUnownedGroupsByNames } from '#features/chat/read-groups.ts'
import { filterTakenFoldedNames, filterTakenHandles } from '#features/people/accounts.ts'
import { listNumberedHandleCandidates, parseHandle, suggestHandleFromName } from '#features/people/handles.ts'
import type {
  CheckedMemberListRow,
  MemberListImportInputRow,
  MemberListImportPreviewResponse,
  MemberListRowErrorOrWarning,
} from './list-contract.ts'

// The functions of this file check a list of new members row by row, so that the admin sees the errors of all
// rows at once, before any account is created.

const MAX_NAME_LENGTH = 255
/**
 * The maximum number of handles that are made from a name, such as `aya` and `aya2`. If all of them are
 * taken, random handles such as `m48213` are tried.
 */
const CANDIDATES_OF_NAME = 10
/** The number of random handles that are tried for one row of the list. */
const RANDOM_HANDLES_OF_ROW = 3

const messages = {
  noName: { en: 'The name is missing.', ja: '名前がありません。' },
  nameTooLong: {
    en: `The name has more than ${MAX_NAME_LENGTH} characters.`,
    ja: `名前は${MAX_NAME_LENGTH}文字以内にしてください。`,
  },
  nameTwice: { en: 'This name is in the list more than once.', ja: '同じ名前が名簿に複数あります。' },
  nameKnown: { en: 'A member with this name exists already.', ja: '同じ名前のメンバーがすでにいます。' },
  groupTooLong: {
    en: `The name of the group has more than ${MAX_NAME_LENGTH} characters.`,
    ja: `グループ名は${MAX_NAME_LENGTH}文字以内にしてください。`,
  },
  groupTwice: {
    en: 'There are several groups with this name. Rename all but one.',
    ja: '同じ名前のグループが複数あります。ひとつを残して名前を変えてください。',
  },
  groupFull: (name: string, max: number) => ({
    en: `The group “${name}” would be too large: a group can have ${max} members.`,
    ja: `グループ「${name}」の人数が上限を超えます（${max}人まで）。`,
  }),
  wrongHandle: {
    en: 'A handle consists of 1 to 30 letters, digits or underscores.',
    ja: 'ハンドルは、文字、数字、アンダースコアを使って30文字以内にしてください。',
  },
  handleTwice: { en: 'This handle is in the list more than once.', ja: '同じハンドルが名簿に複数あります。' },
  handleTaken: { en: 'This handle has already been taken.', ja: 'このハンドルはすでに使われています。' },
} satisfies Record<string, BilingualSentence | ((name: string, max: number) => BilingualSentence)>

const nameSchema = createNameSchema(MAX_NAME_LENGTH)

/**
 * Returns a name as it is stored; undefined if it is too long; null if it is empty or has only characters
 * that are not stored, such as invisible ones.
 */
function parseName(given: string | null) {
  const { success, output, issues } = v.safeParse(nameSchema, given ?? '')
  if (success) return output
  return issues[0].message === 'required' ? null : undefined
}

/** Returns the set of the values that occur more than once in the array. */
const findRepeated = (values: readonly (string | null | undefined)[]) =>
  new Set(values.filter((value, index) => value && values.indexOf(value) !== index))

/** Returns random handles such as `m48213`, for names that cannot be typed on every keyboard. */
const createNumberHandles = () =>
  Array.from({ length: RANDOM_HANDLES_OF_ROW }, () => `m${randomInt(10_000, 100_000)}`)

/**
 * Returns the handles to try for a row of the list without a handle, in the order in which they are tried.
 */
function listCandidates(name: string) {
  const base = suggestHandleFromName(foldNameForSearch(name))
  const ofName = /^[a-z0-9_]+$/.test(base)
    ? listNumberedHandleCandidates(base).slice(0, CANDIDATES_OF_NAME)
    : []
  return [...ofName, ...createNumberHandles()]
}

interface ParsedRow {
  given: MemberListImportInputRow
  name: string | null | undefined
  group: string | null | undefined
  /**
   * The handle that the admin has entered in the row; null if there is none, undefined if it is malformed.
   */
  handle: string | null | undefined
  /** If the row has no handle: the handles from which the first free one is suggested. */
  candidates: readonly string[]
}

function parseRow(given: MemberListImportInputRow): ParsedRow {
  const name = parseName(given.name)
  const handle = given.handle === null ? null : (parseHandle(given.handle) ?? undefined)
  const candidates = handle === null && name ? listCandidates(name) : []
  return { given, name, group: parseName(given.group), handle, candidates }
}

/**
 * Reads from the database which of the names, handles and groups in the rows exist already, with one query
 * for each table. Also finds the names and handles that occur in several rows.
 */
async function readExisting({ db }: Pick<AppContext, 'db'>, rows: readonly ParsedRow[]) {
  const names = rows.flatMap(({ name }) => (name ? [foldNameForSearch(name)] : []))
  const handles = rows.flatMap(({ handle, candidates }) => [...(handle ? [handle] : []), ...candidates])
  return {
    names: await filterTakenFoldedNames(db, [...new Set(names)]),
    handles: await filterTakenHandles(db, [...new Set(handles)]),
    groups: await listUnownedGroupsByNames(db, [...new Set(rows.flatMap(({ group }) => group ?? []))]),
    repeatedNames: findRepeated(rows.map(({ name }) => name && foldNameForSearch(name))),
    repeatedHandles: findRepeated(rows.map(({ handle }) => handle)),
  }
}
type Existing = Awaited<ReturnType<typeof readExisting>>

/**
 * Returns the rows whose member would exceed the maximum size of a group, after the rows before have added
 * theirs. The admin who creates a new group counts as a member of it.
 */
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

function* findProblems({ name, group, handle }: ParsedRow, existing: Existing) {
  if (name === null) yield ['error', 'name', messages.noName] as const
  if (name === undefined) yield ['error', 'name', messages.nameTooLong] as const
  if (name && existing.repeatedNames.has(foldNameForSearch(name)))
    yield ['warning', 'name', messages.nameTwice] as const
  if (name && existing.names.has(foldNameForSearch(name)))
    yield ['warning', 'name', messages.nameKnown] as const
  if (group === undefined) yield ['error', 'group', messages.groupTooLong] as const
  if (group && existing.groups.filter((one) => one.name === group).length > 1)
    yield ['error', 'group', messages.groupTwice] as const
  if (handle === undefined) yield ['error', 'handle', messages.wrongHandle] as const
  if (handle && existing.repeatedHandles.has(handle)) yield ['error', 'handle', messages.handleTwice] as const
  if (handle && existing.handles.has(handle)) yield ['error', 'handle', messages.handleTaken] as const
}

/**
 * The result of the checks of a list of new members. `groupIds` maps the names of the groups that exist
 * already to their ids.
 */
export interface MemberListCheckResultWithGroupIds extends MemberListImportPreviewResponse {
  groupIds: ReadonlyMap<string, number>
}

/**
 * Checks the rows of a list of new members, and suggests a free handle for each row that has none. Returns
 * the checked rows and the groups that the rows name. Stores nothing.
 */
export async function checkMemberListAndSuggestHandles(
  context: Pick<AppContext, 'db' | 'settings'>,
  given: readonly MemberListImportInputRow[],
  lang: Language,
): Promise<MemberListCheckResultWithGroupIds> {
  const parsed = given.map(parseRow)
  const existing = await readExisting(context, parsed)
  const { max_group_members } = context.settings.current()
  const beyondGroupSize = findRowsBeyondGroupSize(parsed, existing, max_group_members)
  const used = new Set(parsed.map(({ handle }) => handle))
  const rows = parsed.map((row): CheckedMemberListRow => {
    const isFree = (handle: string) => !existing.handles.has(handle) && !used.has(handle)
    const made = row.candidates.find(isFree) ?? null
    if (made) used.add(made)
    const notes = Array.from(
      findProblems(row, existing),
      ([kind, column, message]): MemberListRowErrorOrWarning => ({ kind, column, message: message[lang] }),
    )
    if (beyondGroupSize.has(row)) {
      const message = messages.groupFull(row.group!, max_group_members)[lang]
      notes.push({ kind: 'error', column: 'group', message })
    }
    return {
      name: row.name ?? row.given.name ?? '',
      // If the cell for the group has only characters that are not stored, such as invisible ones, the row
      // has no group (null).
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

/**
 * Returns whether a checked list of new members can be imported: it has rows, and no row has an error. Rows
 * with warnings are allowed.
 */
export const isMemberListAcceptable = ({ rows }: MemberListImportPreviewResponse) =>
  rows.length > 0 &&
  rows.every(({ handle, notes }) => handle !== null && notes.every(({ kind }) => kind !== 'error'))
