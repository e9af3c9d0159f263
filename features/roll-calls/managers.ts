import { sql } from 'kysely'
import type { AppContext, CurrentUser, MemberContext } from '#core/context.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import * as groupsRead from '#features/groups/read.ts'
import { MAX_GROUPS } from './contract.ts'

// Admins are in charge of all roll calls, and the owner of a group of those of the group.

export const ownGroups = ({ groups }: Pick<AppContext, 'groups'>, me: number) =>
  sql<{ id: number; name: string }>`select g.id, g.name from (${groups.groupsOf(me)}) g where g.is_owner`

const ownsGroup = async (context: Pick<AppContext, 'db' | 'groups'>, me: number, group: number) => {
  const { rows } = await sql`select 1 from (${ownGroups(context, me)}) o where o.id = ${group}`.execute(
    context.db,
  )
  return rows.length > 0
}

type Viewer = Pick<MemberContext, 'db' | 'groups'> & { me: Pick<CurrentUser, 'id' | 'is_admin'> }

export const manages = async (viewer: Viewer, group: number | null) =>
  viewer.me.is_admin || (group !== null && (await ownsGroup(viewer, viewer.me.id, group)))

/** 403 unless the member may ask them; 404 if an admin names no group. */
export async function requireMayAsk(viewer: Viewer & Pick<MemberContext, 'me'>, group: number | null) {
  if (!(await manages(viewer, group)))
    throw viewer.me.needs_second_step ? httpErrors.secondStepNeeded() : createNotInChargeError()
  if (group !== null && (await groupsRead.getGroupName(viewer.db, group)) === null)
    throw httpErrors.notFound()
}

const createNotInChargeError = () =>
  new HttpError(403, {
    en: 'Only admins can do this, and the owner of a group for the group.',
    ja: '管理者と、グループのまとめ役だけができます。',
  })

/** The groups whose members they may ask. */
export async function listGroups(viewer: MemberContext) {
  if (viewer.me.is_admin) {
    const { body } = await groupsRead.listAll(viewer, { limit: MAX_GROUPS })
    return body.map(({ id, name }) => ({ id, name }))
  }
  const { rows } = await sql<{ id: number; name: string }>`
    ${ownGroups(viewer, viewer.me.id)} order by g.id desc limit ${MAX_GROUPS}`.execute(viewer.db)
  return rows.map(({ id, name }) => ({ id, name }))
}
