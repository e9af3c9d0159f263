import { type SqlBool, sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import * as channels from '#features/conversations/channels.ts'
import * as chats from '#features/conversations/read.ts'
import { hasMoreMembersThan } from '#features/people/deletion.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import { CHANGED_EVENT, type Choices, MAX_CHOSEN, type Mode } from './contract.ts'

type DefaultContext = Pick<AppContext, 'config'>

/** Whether members who have not decided hear of everybody. */
export async function isEverybodyTold({ config }: DefaultContext, db: Db) {
  const most = config.NEW_POSTS_UP_TO
  return most > 0 && !(await hasMoreMembersThan(db, most))
}

const findMode = (db: Db, user: number) =>
  db.selectFrom('new_post_modes').select('mode').where('user_id', '=', user).executeTakeFirst()

export async function get(viewer: MemberViewer & DefaultContext): Promise<Choices> {
  const { db, me, groups } = viewer
  const [saved, persons, joined] = await Promise.all([
    findMode(db, me.id),
    people
      .rows(viewer)
      .where(sql<SqlBool>`users.id in (select person_id from new_post_people where user_id = ${me.id})`)
      .orderBy('name_key')
      .orderBy('id')
      .limit(MAX_CHOSEN)
      .execute(),
    sql<Choices['groups'][number]>`select id, name from (${groups.groupsOf(me.id)}) own_groups
      where id in (select group_id from new_post_groups where user_id = ${me.id})
      order by name, id limit ${MAX_CHOSEN}`.execute(db),
  ])
  const mode = saved?.mode ?? ((await isEverybodyTold(viewer, db)) ? 'everybody' : 'nobody')
  return {
    mode,
    is_default: saved === undefined,
    people: persons.map((row) => people.fromRow(viewer.media, row)),
    groups: joined.rows.map(({ id, name }) => ({ id, name })),
  }
}

async function setMode(tx: Tx, user_id: number, mode: Mode) {
  const row = { mode, created_at: isoNow() }
  await tx
    .insertInto('new_post_modes')
    .values({ user_id, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/** One change of a member after the other. Tells the member's windows. */
const change = (context: MemberContext, run: (tx: Tx) => Promise<unknown>) =>
  transaction(context.db, async (tx) => {
    const { me, realtime } = context
    await lockName(tx, `new posts ${me.id}`)
    await run(tx)
    tx.afterCommit(() => realtime.broadcast([channels.member(me.id)], CHANGED_EVENT, {}, { aboutUsers: [] }))
    return get({ ...context, db: tx })
  })

export const save = (context: MemberContext, mode: Mode) =>
  change(context, (tx) => setMode(tx, context.me.id, mode))

/**
 * Of a member who hears of nobody, the new choice is the only one: what was chosen before would come back
 * unasked. Who hears of everybody goes on doing so.
 */
async function beforeChoice(context: MemberContext, tx: Tx) {
  const { me } = context
  const { mode } = await get({ ...context, db: tx })
  if (mode === 'nobody') {
    await tx.deleteFrom('new_post_people').where('user_id', '=', me.id).execute()
    await tx.deleteFrom('new_post_groups').where('user_id', '=', me.id).execute()
    await setMode(tx, me.id, 'chosen')
  }
  const { rows } = await sql<{ count: number }>`select
    (select count(*) from new_post_people where user_id = ${me.id}) +
    (select count(*) from new_post_groups where user_id = ${me.id}) as count`.execute(tx)
  if (Number(rows[0]!.count) >= MAX_CHOSEN) throw tooMany()
}

/** 404 if the member may not see the person, 422 for oneself and above `MAX_CHOSEN`. */
export const choosePerson = (context: MemberContext, person_id: number) =>
  change(context, async (tx) => {
    const { me } = context
    if (person_id === me.id) throw ownPosts()
    await people.get({ ...context, db: tx }, person_id)
    await beforeChoice(context, tx)
    await tx
      .insertInto('new_post_people')
      .values({ user_id: me.id, person_id, created_at: isoNow() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })

export const dropPerson = (context: MemberContext, person: number) =>
  change(context, (tx) => deletePerson(tx, context.me.id, person))

export const deletePerson = (tx: Tx, user: number, person: number) =>
  tx.deleteFrom('new_post_people').where('user_id', '=', user).where('person_id', '=', person).execute()

/** 403 if the member is not in the group, 422 above `MAX_CHOSEN`. */
export const chooseGroup = (context: MemberContext, group_id: number) =>
  change(context, async (tx) => {
    await chats.requireMember({ ...context, db: tx }, group_id)
    await beforeChoice(context, tx)
    await tx
      .insertInto('new_post_groups')
      .values({ user_id: context.me.id, group_id, created_at: isoNow() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })

export const dropGroup = (context: MemberContext, group: number) =>
  change(context, (tx) => deleteGroup(tx, context.me.id, group))

export const deleteGroup = (tx: Tx, user: number, group: number) =>
  tx.deleteFrom('new_post_groups').where('user_id', '=', user).where('group_id', '=', group).execute()

const ownPosts = () =>
  fieldError('id', {
    en: 'You know of your own posts.',
    ja: '自分の投稿は選べません。',
  })

const tooMany = () =>
  fieldError('id', {
    en: `You can choose up to ${MAX_CHOSEN} people and groups. To hear of more, choose everyone.`,
    ja: `選べるのは、人とグループを合わせて${MAX_CHOSEN}までです。もっと知りたいときは「全員」を選んでください。`,
  })
