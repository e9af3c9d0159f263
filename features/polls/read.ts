import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { pageOf } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as guardians from '#features/guardians/read.ts'
import { notApart } from '#features/people/apart.ts'
import * as people from '#features/people/read.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import { subjects } from '#features/reactions/subjects.ts'
import type { Answer, Poll, Polls, Voter } from './contract.ts'
import type { PollSubject } from './rows.ts'
import * as polls from './rows.ts'
import type { PollRow } from './tables.ts'

type Viewer = AppContext & ViewerContext

/** The polls of posts or messages; null for those without, and for those that the viewer may not see. */
async function listOf(viewer: Viewer, subject: PollSubject, ids: readonly number[]) {
  const found: Polls['posts'] = Object.fromEntries(ids.map((id) => [id, null]))
  const rows = await polls.list(viewer.db, subject, ids)
  if (!rows.length) return found
  const asking = rows.map((row) => polls.subjectOf(row).id)
  const visible = new Set(await subjects[subject].listVisibleIds(viewer, asking))
  const shown = rows.filter((row) => visible.has(polls.subjectOf(row).id))
  for (const poll of await toPolls(viewer, subject, shown)) {
    const row = shown.find(({ id }) => id === poll.id)!
    found[polls.subjectOf(row).id] = poll
  }
  return found
}

export async function list(
  viewer: Viewer,
  input: Readonly<Record<'posts' | 'messages', number[]>>,
): Promise<Polls> {
  const [posts, messages] = await Promise.all([
    listOf(viewer, 'post', input.posts),
    listOf(viewer, 'message', input.messages),
  ])
  return { posts, messages }
}

/** As the viewer sees them: the caller has checked that the viewer sees the posts or messages. */
async function toPolls(viewer: Viewer, subject: PollSubject, rows: readonly PollRow[]): Promise<Poll[]> {
  if (!rows.length) return []
  const { db, me } = viewer
  const families = me ? await childrenOf({ ...viewer, me }, subject, rows) : []
  const members = [...(me ? [me.id] : []), ...families.map(({ child }) => child.id)]
  const secret = rows.filter(({ ballot_key }) => ballot_key !== null)
  const [{ shared, answers: own }, answers] = await Promise.all([
    polls.sharedLookup(db, rows, me?.id),
    polls.answersOf(db, families.length ? rows : secret, members),
  ])
  return rows.map((row) => {
    const answersFrom = (member: number) => answers.get(`${row.id} ${member}`) ?? null
    const mine = me && (answersFrom(me.id) ?? own.get(row.id) ?? null)
    const children = families
      .filter(({ visible }) => row.kind !== 'choice' && visible.has(polls.subjectOf(row).id))
      .map(({ child }) => ({ child, answers: answersFrom(child.id) }))
    const hasVoted = mine !== null || children.some((one) => one.answers !== null)
    return {
      ...shared(row, polls.showsResults(row, hasVoted)),
      mine,
      ...(me && row.user_id === me.id && row.reminded_at !== null && { reminded_at: row.reminded_at }),
      ...(children.length > 0 && { children }),
    }
  })
}

/** The children of a guardian, each with the ids of those of the posts or messages that the child sees. */
async function childrenOf(viewer: MemberContext, subject: PollSubject, rows: readonly PollRow[]) {
  const ids = rows.filter(({ kind }) => kind !== 'choice').map((row) => polls.subjectOf(row).id)
  if (!ids.length) return []
  const children = await guardians.listChildren(viewer)
  return Promise.all(
    children.map(async ({ id, name, profile_image }) => ({
      child: { id, name, profile_image },
      visible: new Set(await subjects[subject].listVisibleIds(withoutRoles(viewer, id), ids)),
    })),
  )
}

/** 404 unless the viewer sees the post or message. */
export async function requirePoll(viewer: MemberContext, id: number) {
  const poll = await polls.get(viewer.db, id)
  const { subject, id: content } = polls.subjectOf(poll)
  if (!(await subjects[subject].listVisibleIds(viewer, [content])).length) throw polls.notFound()
  return poll
}

export async function get(viewer: MemberContext, id: number): Promise<Poll> {
  const poll = await requirePoll(viewer, id)
  return (await toPolls(viewer, polls.subjectOf(poll).subject, [poll]))[0]!
}

const namesNobody = () =>
  new HttpError(403, {
    en: 'This poll names nobody.',
    ja: 'この投票では、だれが投票したかは表示されません。',
  })
const notYet = () =>
  new HttpError(403, {
    en: 'The results are not shown to you yet.',
    ja: '結果は、まだ見られません。',
  })

/** People who chose the option, without those whom the viewer may not see. */
export async function listVoters(
  viewer: MemberContext,
  { id, option, answer, ...page }: PageParams & { id: number; option: number; answer: Answer },
) {
  const poll = await requirePoll(viewer, id)
  if (poll.ballot === 'secret') throw namesNobody()
  const [shown] = await toPolls(viewer, polls.subjectOf(poll).subject, [poll])
  if (shown!.guests_count === null) throw notYet()
  const found = viewer.db
    .selectFrom('poll_votes as v')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'v.user_id')
    .innerJoin('poll_voters as w', (join) =>
      join.onRef('w.poll_id', '=', 'v.poll_id').onRef('w.user_id', '=', 'v.user_id'),
    )
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 'w.note', 'w.guests', 'w.guardian_id'])
    .where('v.option_id', '=', option)
    .where('v.answer', '=', answer)
    .where('v.poll_id', '=', id)
    .where(notApart(viewer, 'v.user_id'))
  const rows = await pageOf(found, 'v.user_id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (all) =>
      all.map(
        ({ note, guests, guardian_id, ...user }): Voter => ({
          user: people.fromRow(viewer.media, user),
          ...{ note, guests, by_guardian: guardian_id !== null },
        }),
      ),
  )
}
