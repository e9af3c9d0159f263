import { sql } from 'kysely'
import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { idIn, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as chats from '#features/conversations/read.ts'
import * as guardians from '#features/guardians/read.ts'
import { notApart } from '#features/people/apart.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import { subjects } from '#features/reactions/subjects.ts'
import * as read from './read.ts'
import * as polls from './rows.ts'
import type { PollRow } from './tables.ts'

/** The ids of those who get the live events of the post or message; null for all members. */
async function audienceOf(context: AppContext, tx: Tx, poll: PollRow) {
  const { subject, id } = polls.subjectOf(poll)
  const [target] = await subjects[subject].read(context, tx, [id])
  if (!target) return []
  if (target.pair) return target.pair
  if (Array.isArray(target.onlyFor)) return target.onlyFor
  return target.group === null ? null : chats.listMemberIds(tx, target.group)
}

/** Members who see the poll and have not answered, besides who asks. Without those who cannot log in. */
export async function missingQuery(asker: MemberContext, tx: Tx, poll: PollRow) {
  const viewer = { ...asker, db: tx }
  const audience = await audienceOf(asker, tx, poll)
  return people
    .rows(viewer)
    .$if(audience !== null, (query) => query.where(idIn(tx, 'users.id', audience!)))
    .where('users.id', '!=', asker.me.id)
    .where(visibility.notSuspended('users.id'))
    .where(notApart(viewer, 'users.id'))
    .where(
      sql<boolean>`not exists (select 1 from poll_voters v where v.poll_id = ${poll.id} and v.user_id = users.id)`,
    )
}

/**
 * Those of these members who have not answered, and, where guardians answer, those in the audience whose child
 * has not.
 */
export async function listAmong(context: AppContext, tx: Tx, poll: PollRow, members: readonly number[]) {
  const asker = withoutRoles(context, poll.user_id!)
  const families =
    poll.kind === 'choice'
      ? []
      : await guardians
          .guardianPairs(tx)
          .where(idIn(tx, 'g.guardian_id', members))
          .execute()
  const asked = [...members, ...families.map(({ child_id }) => child_id)]
  const rows = await (await missingQuery(asker, tx, poll)).where(idIn(tx, 'users.id', asked)).execute()
  const missing = new Set(rows.map(({ id }) => id))
  const audience = await audienceOf(context, tx, poll)
  const isAsked = (member: number) => member !== poll.user_id && audience?.includes(member) !== false
  const answersFor = (member: number) =>
    families.some(({ guardian_id, child_id }) => guardian_id === member && missing.has(child_id))
  return members.filter((member) => missing.has(member) || (isAsked(member) && answersFor(member)))
}

/** 403 except for the author, and for a secret poll. */
export async function requireOwn(context: MemberContext, id: number) {
  const poll = await read.requirePoll(context, id)
  if (poll.user_id !== context.me.id) throw polls.notAuthor()
  if (poll.ballot === 'secret') throw isSecret()
  return poll
}

const isSecret = () =>
  new HttpError(403, {
    en: 'In a secret poll, nobody learns who has voted.',
    ja: '無記名の投票では、だれが投票したかは、だれにもわかりません。',
  })

export const list = (context: MemberContext, { id, ...page }: PageParams & { id: number }) =>
  transaction(context.db, async (tx) => {
    const poll = await requireOwn({ ...context, db: tx }, id)
    const query = await missingQuery(context, tx, poll)
    const rows = await pageOf(query, 'users.id', page).execute()
    return paged(
      rows,
      page.limit,
      (last) => ({ after: last.id }),
      (shown) => shown.map((row) => people.fromRow(context.media, row)),
    )
  })
