import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type CacheDependency, type Db, hasMatchingRow } from '#core/database/database.ts'
import { notApart } from './apart.ts'

/** The person who reads (`me`), and the services that reading needs. A RequestContext is one too. */
export interface ViewerContext extends Pick<AppContext, 'db' | 'media' | 'groups' | 'contacts'> {
  /** Null for a visitor. */
  me: CurrentUser | null
  /** The language of the name “Former member”; by default English. */
  lang?: Language
}
export interface MemberViewer extends ViewerContext {
  me: CurrentUser
}

export const isMember = (viewer: ViewerContext): viewer is MemberViewer => viewer.me !== null

/**
 * A rule that hides people from each other. `viewer` is 0 for a visitor. Both queries have one column of ids
 * without nulls; null if the rule hides nobody. No rule may hide a person from themselves.
 */
export interface VisibilityRule {
  hiddenPeople(viewer: number): RawBuilder<{ id: number }> | null
  hiddenFrom(person: number): RawBuilder<{ id: number }> | null
}

const ownBlocksRule: VisibilityRule = {
  hiddenPeople: (viewer) =>
    viewer ? sql`select blocked_id as id from blocks where blocker_id = ${viewer}` : null,
  hiddenFrom: (person) => sql`select blocker_id as id from blocks where blocked_id = ${person}`,
}

const blocksByOthersRule: VisibilityRule = {
  hiddenPeople: (viewer) =>
    viewer ? sql`select blocker_id as id from blocks where blocked_id = ${viewer}` : null,
  hiddenFrom: (person) => sql`select blocked_id as id from blocks where blocker_id = ${person}`,
}

/**
 * A person is hidden if at least one rule hides them. Suspended accounts are visible, since their posts and
 * messages stay. A new rule is one entry here, and one of `visibility.tables` for its table. Lists,
 * pages, searches and counts follow the rules through `visibility.members`, live events and presence
 * channels through `realtimeRules`; the tests add a rule and look for the person whom it
 * hides. Code that changes the rows of a rule must call `realtime.recheckGuards` for the people concerned.
 * `likes_count` and `replies_count` do not follow the rules, because they name nobody
 * (docs/decisions/0014-one-like-count.md).
 */
export const allRules: VisibilityRule[] = [ownBlocksRule, blocksByOthersRule]

/** Caches of data that depends on the viewer must be cleared when one of these changes. */
export const tables: readonly CacheDependency[] = [
  'users',
  'blocks',
  'mutes',
  // `contacts.apart` reads these two.
  'children',
  'child_contacts',
]

/** Null if all of them are null. */
export function unionOf(queries: readonly (RawBuilder<{ id: number }> | null)[]) {
  const existing = queries.filter((query) => query !== null)
  return existing.length ? sql<{ id: number }>`${sql.join(existing, sql` union all `)}` : null
}

export const hiddenFor = (viewer: number, rules: readonly VisibilityRule[]) =>
  unionOf(rules.map((rule) => rule.hiddenPeople(viewer)))

/** `person` is a column. The query for hidden people does not depend on the row, so it runs once. */
export function canSee({ me }: Pick<ViewerContext, 'me'>, person: string, rules = allRules) {
  const hidden = hiddenFor(me?.id ?? 0, rules)
  return hidden ? sql<SqlBool>`${sql.ref(person)} not in (${hidden})` : sql<SqlBool>`true`
}

/** For queries that select viewers: `viewer` is a column. */
export function seenBy(person: number, viewer: string) {
  const hidden = unionOf(allRules.map((rule) => rule.hiddenFrom(person)))
  return hidden ? sql<SqlBool>`${sql.ref(viewer)} not in (${hidden})` : sql<SqlBool>`true`
}

/**
 * Every query for people, or for something that a person wrote, selects from this one or a wider one of this
 * file, or joins it. tests/boundaries.test.ts refuses queries on `users` in other features.
 */
export const members = (viewer: ViewerContext) => withFormer(viewer).where('users.former_since', 'is', null)

/**
 * With former members, the authors of messages of deleted accounts. Only for messages and changes of groups.
 */
export function withFormer(viewer: ViewerContext) {
  const people = viewer.db.selectFrom('users')
  // No condition if no rule hides anybody, as for visitors: Kysely would compile the constant `true` each
  // time.
  return hiddenFor(viewer.me?.id ?? 0, allRules) ? people.where(canSee(viewer, 'users.id')) : people
}

/**
 * `person` is an id or a column. A mute does not hide the person, only their words and actions in lists of
 * posts of several authors, replies, groups, notifications, push messages and unread counts. So it is no rule
 * of `visibility.allRules`.
 */
export const notMuted = ({ me }: Pick<ViewerContext, 'me'>, person: string | number) =>
  me
    ? sql<SqlBool>`${typeof person === 'number' ? person : sql.ref(person)} not in (select muted_id from mutes where muter_id = ${me.id})`
    : sql<SqlBool>`true`

/**
 * Whether words and actions of the person may be brought to the viewer unasked: no mute, and no guardian's
 * refusal between the two (`contacts.apart`). `person` is a column. Within a group messages are not brought,
 * but read together: there, `visibility.notMuted` decides.
 */
export function reaches(viewer: Pick<ViewerContext, 'me' | 'contacts'>, person: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${notMuted(viewer, person)} and ${notApart(viewer, person)})`
}

/** For lists of posts of several authors, and for notifications: see `visibility.reaches`. */
export const reaching = (viewer: ViewerContext) => {
  const people = members(viewer)
  return viewer.me ? people.where(reaches(viewer, 'users.id')) : people
}

/** With the `sql` tag, which takes less time than the query builder: statements for each like use it. */
export const memberIds = (viewer: Pick<ViewerContext, 'me'>) =>
  sql<{ id: number }>`select id from users
    where former_since is null and ${canSee(viewer, 'users.id')}`

/** `person` is a column. Only the viewer's own block may hide the person. */
export const seenOrBlocked = (viewer: Pick<ViewerContext, 'me'>, person: string) =>
  canSee(
    viewer,
    person,
    allRules.filter((rule) => rule !== ownBlocksRule),
  )

/**
 * Also people whom the viewer has blocked. `is_blocked` and `is_muted` are null or not. Only for chat
 * messages: lists of group messages show a note in place of those of blocked and muted people. Leaves out
 * people who have blocked the viewer, so that the viewer does not learn of the block.
 */
export const withBlocked = (viewer: MemberViewer) =>
  viewer.db
    .selectFrom('users')
    .where(seenOrBlocked(viewer, 'users.id'))
    .select((query) =>
      query
        .selectFrom('blocks')
        .select('blocks.blocked_id')
        .where('blocks.blocker_id', '=', viewer.me.id)
        .whereRef('blocks.blocked_id', '=', 'users.id')
        .as('is_blocked'),
    )
    .select((query) =>
      query
        .selectFrom('mutes')
        .select('mutes.muted_id')
        .where('mutes.muter_id', '=', viewer.me.id)
        .whereRef('mutes.muted_id', '=', 'users.id')
        .as('is_muted'),
    )

function hiddenOrMuting(person: number) {
  const muters = sql<{ id: number }>`select muter_id as id from mutes where muted_id = ${person}`
  return unionOf([...allRules.map((rule) => rule.hiddenFrom(person)), muters])!
}

export const listHiddenOrMuting = async (db: Db, person: number) =>
  (await hiddenOrMuting(person).execute(db)).rows.map(({ id }) => id)

type ReachContext = Pick<AppContext, 'db' | 'contacts'>

const notReached = ({ contacts }: Pick<ReachContext, 'contacts'>, person: number) =>
  unionOf([hiddenOrMuting(person), contacts.apart(person)])!

/** Also of the viewers who may not see the person: see `visibility.reaches`. */
export const listNotReached = async (context: ReachContext, person: number) =>
  (await notReached(context, person).execute(context.db)).rows.map(({ id }) => id)

/** Leaves out suspended members: see `visibility.reaches`. */
const shownTo = ({ db, contacts }: ReachContext, person: number) =>
  db
    .selectFrom('users')
    .select('id')
    .where('former_since', 'is', null)
    .where(notSuspended('users.id'))
    .where(sql<SqlBool>`users.id not in (${notReached({ contacts }, person)})`)

/** The lowest first, at most `limit` above `after`, of `among` if given. The person is one of them. */
export async function listShownTo(
  context: ReachContext,
  person: number,
  { after, limit, among }: { after: number; limit: number; among?: RawBuilder<{ id: number }> },
) {
  const query = shownTo(context, person)
    .where('id', '>', after)
    .$if(among !== undefined, (shown) => shown.where(sql<SqlBool>`users.id in (${among})`))
  return (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

export const isShownTo = (context: ReachContext, person: number, member: number) =>
  hasMatchingRow(shownTo(context, person).where('id', '=', member))

/** Who may see what the person says, muted or not; without the person, and those kept apart by a guardian. */
export const audienceOf = ({ db, contacts }: ReachContext, person: number) =>
  db
    .selectFrom('users')
    .select('id')
    .where('former_since', 'is', null)
    .where('id', '!=', person)
    .where(notSuspended('users.id'))
    .where(
      sql<SqlBool>`users.id not in (${unionOf([
        ...allRules.map((rule) => rule.hiddenFrom(person)),
        contacts.apart(person),
      ])!})`,
    )

/** `visibility.notSuspended` reads these. */
export const suspensionTables = ['suspensions', 'deletion_suspensions'] as const

/** `member` is a column. Suspended members cannot log in and have no session. */
export const notSuspended = (member: string) =>
  sql<SqlBool>`(not exists (select 1 from suspensions where suspensions.user_id = ${sql.ref(member)})
    and not exists (select 1 from deletion_suspensions
      where deletion_suspensions.user_id = ${sql.ref(member)}))`

export const isSuspended = async (db: Db, member: number) => (await findSuspension(db, member)) !== undefined

/** Undefined if not suspended. While an account waits for its deletion by an admin, `ends_at` is null. */
export async function findSuspension(db: Db, member: number) {
  const row = await db
    .selectFrom('users')
    .leftJoin('suspensions', 'suspensions.user_id', 'users.id')
    .leftJoin('deletion_suspensions', 'deletion_suspensions.user_id', 'users.id')
    .select(['suspensions.ends_at', 'suspensions.reason', 'suspensions.user_id as suspended'])
    .select('deletion_suspensions.user_id as awaits_deletion')
    .where('users.id', '=', member)
    .executeTakeFirst()
  if (!row || (row.suspended === null && row.awaits_deletion === null)) return undefined
  return { ends_at: row.awaits_deletion === null ? row.ends_at : null, reason: row.reason }
}
