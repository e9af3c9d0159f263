import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { idIn, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as chats from '#features/conversations/read.ts'
import { notApart } from '#features/people/apart.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import { subjects } from '#features/reactions/subjects.ts'
import { notAuthor } from './model.ts'
import * as read from './read.ts'
import * as polls from './rows.ts'
import type { PollRow } from './tables.ts'

/** The ids of those who get the live events of the post or message; null for all members. */
async function audienceOf(context: MemberContext, tx: Tx, poll: PollRow) {
  const { subject, id } = polls.subjectOf(poll)
  const [target] = await subjects[subject].read(context, tx, [id])
  if (!target) return []
  if (target.pair) return target.pair
  if (target.group !== null) return chats.listMemberIds(tx, target.group)
  return Array.isArray(target.onlyFor) ? target.onlyFor : null
}

/** Members who see the poll and have not answered, besides who asks. Without those who cannot log in. */
async function missingQuery(context: MemberContext, tx: Tx, poll: PollRow) {
  const viewer = { ...context, db: tx }
  const audience = await audienceOf(context, tx, poll)
  return people
    .rows(viewer)
    .$if(audience !== null, (query) => query.where(idIn(tx, 'users.id', audience!)))
    .where('users.id', '!=', context.me.id)
    .where(visibility.notSuspended('users.id'))
    .where(notApart(viewer, 'users.id'))
    .where(
      sql<boolean>`not exists (select 1 from poll_voters v where v.poll_id = ${poll.id} and v.user_id = users.id)`,
    )
}

/** 403 except for the author, and for a secret poll. */
async function requireOwn(context: MemberContext, id: number) {
  const poll = await read.requirePoll(context, id)
  if (poll.user_id !== context.me.id) throw notAuthor()
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
