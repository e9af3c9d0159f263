import { endOfQuietHours, type ZonedQuietHours } from '#core/community/quiet-hours.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import * as credentials from '#features/people/credentials.ts'
import {
  type Channel,
  isOffAtFirst,
  type KindSwitch,
  type NotificationKind,
  type NotificationSettings,
  type SwitchKind,
  sharedSwitches,
  usesChannel,
} from './contract.ts'
import type { NotificationRef } from './events.ts'
import * as notifier from './model.ts'
import { channelSchema, kindSchema, switchKindSchema } from './schemas.ts'

const offKindsQuery = (db: Db, user: number, channel: Channel) =>
  db
    .selectFrom('notification_switches_off')
    .select('kind')
    .where('user_id', '=', user)
    .where('channel', '=', channel)

/** Of those that are off at first. */
const onKindsQuery = (db: Db, channel: Channel) =>
  db.selectFrom('notification_switches_on').select(['kind', 'user_id']).where('channel', '=', channel)

export async function getOffKinds(db: Db, user: number, channel: Channel) {
  const [off, on] = await Promise.all([
    offKindsQuery(db, user, channel).execute(),
    onKindsQuery(db, channel).where('user_id', '=', user).execute(),
  ])
  const isLeftOff = (kind: NotificationKind) =>
    isOffAtFirst(kind, channel) && !on.some((one) => one.kind === kind)
  return new Set([...off.map(({ kind }) => kind), ...kindSchema.options.filter(isLeftOff)])
}

export async function isOn(db: Db, user: number, kind: NotificationKind | 'message', channel: Channel) {
  if (kind !== 'message' && isOffAtFirst(kind, channel))
    return hasMatchingRow(onKindsQuery(db, channel).where('user_id', '=', user).where('kind', '=', kind))
  return !(await hasMatchingRow(offKindsQuery(db, user, channel).where('kind', '=', kind)))
}

/** Without those that are off at first, if their members have not switched them on. */
export async function leaveOutOffAtFirst(
  db: Db,
  kind: NotificationKind,
  channel: Channel,
  all: readonly NotificationRef[],
) {
  if (!isOffAtFirst(kind, channel)) return all
  const users = all.map(({ user_id }) => user_id)
  const rows = await onKindsQuery(db, channel)
    .where('kind', '=', kind)
    .where('user_id', 'in', users)
    .execute()
  const wanted = new Set(rows.map(({ user_id }) => user_id))
  return all.filter(({ user_id }) => wanted.has(user_id))
}

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
  const all = await Promise.all(channelSchema.options.map((channel) => getOffKinds(db, me.id, channel)))
  const off = new Map(channelSchema.options.map((channel, index) => [channel, all[index]!]))
  const switches = switchKindSchema.options.flatMap((kind) =>
    channelSchema.options
      .filter((channel) => usesChannel(kind, channel))
      .map((channel) => ({ kind, channel, is_on: !off.get(channel)!.has(kind) })),
  )
  return {
    switches,
    quiet_hours: await readOwnQuietHours(db, me.id),
    community_quiet_hours: readCommunityQuietHours(context),
  }
}

const toSwitchedKinds = (kind: SwitchKind): readonly (NotificationKind | 'message')[] =>
  sharedSwitches.find(([first]) => first === kind) ?? [kind]

interface SettingChanges {
  switch?: KindSwitch | undefined
  quiet_hours?: ZonedQuietHours | null | undefined
}

async function saveOffAtFirst(tx: Tx, user_id: number, { kind, channel, is_on }: KindSwitch) {
  if (kind === 'message') return
  const created_at = isoNow()
  if (is_on)
    await tx
      .insertInto('notification_switches_on')
      .values({ user_id, kind, channel, created_at })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await tx
      .deleteFrom('notification_switches_on')
      .where('user_id', '=', user_id)
      .where('kind', '=', kind)
      .where('channel', '=', channel)
      .execute()
}

async function saveSwitch(context: MemberContext, tx: Tx, change: KindSwitch) {
  const { kind: switched, channel, is_on } = change
  const user_id = context.me.id
  if (isOffAtFirst(switched, channel)) return saveOffAtFirst(tx, user_id, change)
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
