import type { AppContext, MemberContext } from '#core/context.ts'
import { currentIsoTime, type Db, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { findEndOfCurrentQuietHours, type ZonedQuietHours } from '#core/quiet-hours.ts'
import { lockAndReadOwnAccount } from '#features/people/credentials.ts'
import type { NotificationKind } from './contract.ts'
import { announceNotificationsChangedAfterCommit, markNotificationsOfKindsRead } from './model.ts'
import {
  mayNotificationKindUseChannel,
  type NotificationChannel,
  type NotificationSettings,
  type NotificationSwitch,
  notificationChannelSchema,
  reactionNotificationKinds,
  type SwitchableNotificationKind,
  switchableNotificationKindSchema,
} from './settings-contract.ts'

/** Builds a query for the kinds of notifications that the member has switched off for a channel. */
const buildSwitchedOffKindsQuery = (db: Db, user: number, channel: NotificationChannel) =>
  db
    .selectFrom('notification_switches_off')
    .select('kind')
    .where('user_id', '=', user)
    .where('channel', '=', channel)

/** Returns the set of the kinds of notifications that the member has switched off for a channel. */
export const readSwitchedOffNotificationKinds = async (db: Db, user: number, channel: NotificationChannel) =>
  new Set((await buildSwitchedOffKindsQuery(db, user, channel).execute()).map(({ kind }) => kind))

/** Returns whether the member has not switched off this kind of notifications for this channel. */
export const isNotificationKindSwitchedOn = async (
  db: Db,
  user: number,
  kind: NotificationKind | 'message',
  channel: NotificationChannel,
) => !(await hasMatchingRow(buildSwitchedOffKindsQuery(db, user, channel).where('kind', '=', kind)))

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

/**
 * Returns the time when the quiet hours end, if it is a quiet hour of the member or of the community now;
 * otherwise null.
 */
export async function findEndOfCurrentQuietHoursOfMember(
  context: Pick<AppContext, 'db' | 'settings'>,
  user: number,
) {
  const all = [await readOwnQuietHours(context.db, user), readCommunityQuietHours(context)]
  return findEndOfCurrentQuietHours(
    new Date(),
    all.filter((hours) => hours !== null),
  )
}

type SettingsContext = Pick<MemberContext, 'db' | 'settings' | 'me'>

export async function readNotificationSettings(context: SettingsContext): Promise<NotificationSettings> {
  const { db, me } = context
  const rows = await db
    .selectFrom('notification_switches_off')
    .select(['kind', 'channel'])
    .where('user_id', '=', me.id)
    .execute()
  const off = new Set(rows.map(({ kind, channel }) => `${kind} ${channel}`))
  const switches = switchableNotificationKindSchema.options.flatMap((kind) =>
    notificationChannelSchema.options
      .filter((channel) => mayNotificationKindUseChannel(kind, channel))
      .map((channel) => ({ kind, channel, is_on: !off.has(`${kind} ${channel}`) })),
  )
  return {
    switches,
    quiet_hours: await readOwnQuietHours(db, me.id),
    community_quiet_hours: readCommunityQuietHours(context),
  }
}

/** Returns the kinds of notifications that one switch of the settings turns on and off. */
const toSwitchedKinds = (kind: SwitchableNotificationKind): readonly (NotificationKind | 'message')[] =>
  kind === 'reaction' ? reactionNotificationKinds : [kind]

interface SettingChanges {
  switch?: NotificationSwitch | undefined
  quiet_hours?: ZonedQuietHours | null | undefined
}

async function saveSwitch(
  context: MemberContext,
  tx: Tx,
  { kind: switched, channel, is_on }: NotificationSwitch,
) {
  const user_id = context.me.id
  const kinds = toSwitchedKinds(switched)
  if (!is_on) {
    const created_at = currentIsoTime()
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
    // When a kind is switched on again, marks its notifications from before as read. Otherwise they would all
    // become unread now.
    if (channel === 'app' && numDeletedRows)
      await markNotificationsOfKindsRead(
        tx,
        user_id,
        kinds.filter((kind) => kind !== 'message'),
      )
  }
  if (channel === 'app') announceNotificationsChangedAfterCommit(context, tx, user_id)
}

export const saveNotificationSettings = (
  context: MemberContext & { session: { token: string } },
  changes: SettingChanges,
) =>
  transaction(context.db, async (tx) => {
    const user_id = context.me.id
    await lockAndReadOwnAccount(tx, context)
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
    return readNotificationSettings({ ...context, db: tx })
  })
