import { endOfQuietHours, type ZonedQuietHours } from '#core/community/quiet-hours.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import * as credentials from '#features/people/credentials.ts'
import {
  type Channel,
  type KindSwitch,
  type NotificationKind,
  type NotificationSettings,
  reactionKinds,
  reminderKinds,
  type SwitchKind,
  usesChannel,
} from './contract.ts'
import * as notifier from './model.ts'
import { channelSchema, switchKindSchema } from './schemas.ts'

const offKindsQuery = (db: Db, user: number, channel: Channel) =>
  db
    .selectFrom('notification_switches_off')
    .select('kind')
    .where('user_id', '=', user)
    .where('channel', '=', channel)

export const getOffKinds = async (db: Db, user: number, channel: Channel) =>
  new Set((await offKindsQuery(db, user, channel).execute()).map(({ kind }) => kind))

export const isOn = async (db: Db, user: number, kind: NotificationKind | 'message', channel: Channel) =>
  !(await hasMatchingRow(offKindsQuery(db, user, channel).where('kind', '=', kind)))

export const wantsMail = (db: Db, user: number, kind: string) =>
  isOn(db, user, kind as NotificationKind, 'mail')

async function readOwnQuietHours(db: Db, user: number): Promise<ZonedQuietHours | null> {
  const row = await db
    .selectFrom('quiet_hours')
    .select(['from_time as from', 'to_time as to', 'time_zone'])
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row ?? null
}

function readCommunityQuietHours({ settings }: Pick<AppContext, 'settings'>): ZonedQuietHours | null {
  const { quiet_hours, time_zone } = settings.current()
  return quiet_hours && { ...quiet_hours, time_zone: time_zone ?? 'UTC' }
}

/** Null if it is no quiet hour of the member or the community now. */
export async function findQuietEnd(context: Pick<AppContext, 'db' | 'settings'>, user: number) {
  const all = [await readOwnQuietHours(context.db, user), readCommunityQuietHours(context)]
  return endOfQuietHours(
    new Date(),
    all.filter((hours) => hours !== null),
  )
}

type SettingsContext = Pick<MemberContext, 'db' | 'settings' | 'me'>

export async function get(context: SettingsContext): Promise<NotificationSettings> {
  const { db, me } = context
  const rows = await db
    .selectFrom('notification_switches_off')
    .select(['kind', 'channel'])
    .where('user_id', '=', me.id)
    .execute()
  const off = new Set(rows.map(({ kind, channel }) => `${kind} ${channel}`))
  const switches = switchKindSchema.options.flatMap((kind) =>
    channelSchema.options
      .filter((channel) => usesChannel(kind, channel))
      .map((channel) => ({ kind, channel, is_on: !off.has(`${kind} ${channel}`) })),
  )
  return {
    switches,
    quiet_hours: await readOwnQuietHours(db, me.id),
    community_quiet_hours: readCommunityQuietHours(context),
  }
}

const toSwitchedKinds = (kind: SwitchKind): readonly (NotificationKind | 'message')[] =>
  kind === 'reaction' ? reactionKinds : kind === 'read_reminder' ? reminderKinds : [kind]

interface SettingChanges {
  switch?: KindSwitch | undefined
  quiet_hours?: ZonedQuietHours | null | undefined
}

async function saveSwitch(context: MemberContext, tx: Tx, { kind: switched, channel, is_on }: KindSwitch) {
  const user_id = context.me.id
  const kinds = toSwitchedKinds(switched)
  if (!is_on) {
    const created_at = isoNow()
    await tx
      .insertInto('notification_switches_off')
      .values(kinds.map((kind) => ({ user_id, kind, channel, created_at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } else {
    const { numDeletedRows } = await tx
      .deleteFrom('notification_switches_off')
      .where('user_id', '=', user_id)
      .where('kind', 'in', kinds)
      .where('channel', '=', channel)
      .executeTakeFirstOrThrow()
    // Notifications from before become read: otherwise they would all become unread now.
    if (channel === 'app' && numDeletedRows)
      await notifier.markKindsRead(
        tx,
        user_id,
        kinds.filter((kind) => kind !== 'message'),
      )
  }
  if (channel === 'app') notifier.announce(context, tx, user_id)
}

export const save = (context: MemberContext & { session: { token: string } }, changes: SettingChanges) =>
  transaction(context.db, async (tx) => {
    const user_id = context.me.id
    await credentials.lockOwn(tx, context)
    if (changes.switch) await saveSwitch(context, tx, changes.switch)
    if (changes.quiet_hours === null)
      await tx.deleteFrom('quiet_hours').where('user_id', '=', user_id).execute()
    else if (changes.quiet_hours) {
      const { from: from_time, to: to_time, time_zone } = changes.quiet_hours
      const hours = { from_time, to_time, time_zone }
      await tx
        .insertInto('quiet_hours')
        .values({ user_id, ...hours })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(hours))
        .execute()
    }
    await context.emit(tx, 'notification.settings_changed', { user_id })
    return get({ ...context, db: tx })
  })
