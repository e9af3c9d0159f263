import './events.ts'
import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { foldNameForSearch, foldReading } from '#core/text/fold-names.ts'
import { sortKey } from '#core/text/readings.ts'
import { recordChange } from '#features/groups/changes.ts'
import { changeGroup } from '#features/groups/of-two.ts'
import { getGroupName } from '#features/groups/read.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { type Access, openGroupChannels } from './contract.ts'

const keys = (name: string, reading: string | null) => ({
  name_key: foldNameForSearch(name),
  reading_key: reading && foldReading(reading),
  sort_key: sortKey(reading ?? name),
})

const findAccess = (tx: Tx, group: number) =>
  tx.selectFrom('group_access').select(['access', 'reading']).where('group_id', '=', group).executeTakeFirst()

/** An undefined reading stays as it is. */
export const set = (
  context: SessionContext,
  group: number,
  { access, reading: given }: { access: Access; reading?: string | null | undefined },
) =>
  changeGroup(context, group, async (tx, { name }) => {
    const { me } = context
    const before = await findAccess(tx, group)
    const reading = given === undefined ? (before?.reading ?? null) : given
    const row = { access, reading, ...keys(name, reading), changed_at: isoNow() }
    await tx
      .insertInto('group_access')
      .values({ group_id: group, ...row })
      .onConflict((conflict) => conflict.column('group_id').doUpdateSet(row))
      .execute()
    tx.afterCommit(() => listChanged(context))
    if (access === (before?.access ?? 'closed')) return
    const event = { conversation_id: group, actor_id: me.id, by_owner: !me.is_admin }
    await context.emit(tx, 'group.access_changed', event)
    await recordChange(context, tx, group, 'access')
  })

/** In the transaction that has renamed the group. */
export async function renamed(context: AppContext, tx: Tx, group: number) {
  const row = await findAccess(tx, group)
  const name = row && (await getGroupName(tx, group))
  if (!row || !name) return
  await tx.updateTable('group_access').set(keys(name, row.reading)).where('group_id', '=', group).execute()
  tx.afterCommit(() => listChanged(context))
}

/** Windows that show the list load it again. */
export const listChanged = ({ realtime }: AppContext) =>
  realtime.broadcast([openGroupChannels.list.name], 'OpenGroupsChanged', {}, { aboutUsers: [] })

/** In the transaction of a change that the list shows, such as a new member. Nothing for a closed group. */
export async function changed(context: AppContext, tx: Tx, group: number) {
  const row = await findAccess(tx, group)
  if (row && row.access !== 'closed') tx.afterCommit(() => listChanged(context))
}
