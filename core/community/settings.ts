import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import type { Config } from '#core/config.ts'
import type { Db, Migrations, Tx } from '#core/database/database.ts'
import type { Picture } from '#core/media/images.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'
import * as pictures from './picture.ts'
import { DEFAULT_POST_LENGTH, type SettingValues } from './settings-contract.ts'
import { settingsSchema } from './settings-schemas.ts'

export interface Tables {
  /** The table of the settings that admins have saved, with one row for each setting. `value` is JSON. */
  settings: { name: string; value: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends Tables {}
}

export const settingMigrations: Migrations = {
  'settings 1': () => ['create table settings (name text primary key, value text not null)'],
}

const createDefaultSettings = ({ APP_NAME }: Pick<Config, 'APP_NAME'>): SettingValues => ({
  community_name: APP_NAME,
  accent_colour: null,
  show_samples: true,
  default_language: null,
  time_zone: null,
  quiet_hours: null,
  admins_need_second_step: false,
  who_can_join: 'open',
  join_question: null,
  who_can_invite: 'admins',
  new_member_days: 0,
  who_can_create_groups: 'admins',
  max_post_length: DEFAULT_POST_LENGTH,
  max_pictures: 4,
  max_picture_mb: 10,
  max_member_storage_mb: 2000,
  max_group_members: 0,
  reaction_emoji: ['👍', '😂', '😮', '😢', '🎉', '🙏'],
  link_previews: false,
  who_can_read: 'everyone',
  keep_messages_days: null,
  keep_pictures_days: null,
})

/**
 * Returns the saved settings, with the defaults for the others. Ignores rows with an unknown name or an
 * invalid value, because a newer version may have written them.
 */
export async function readSettings(db: Db, config: Pick<Config, 'APP_NAME'>): Promise<SettingValues> {
  const rows = await db.selectFrom('settings').selectAll().execute()
  const stored: Record<string, unknown> = Object.fromEntries(
    rows.map(({ name, value }) => [name, JSON.parse(value)]),
  )
  const known = Object.entries(settingsSchema.entries).filter(([name, schema]) => v.is(schema, stored[name]))
  return {
    ...createDefaultSettings(config),
    ...Object.fromEntries(known.map(([name]) => [name, stored[name]])),
  }
}

/** Reads and saves the settings and the picture of the community. Every process keeps both in memory. */
export interface SettingsStore {
  current(): SettingValues
  isMembersOnly(): boolean
  /** The names of the settings that an environment variable sets. Admins cannot change these. */
  fixed: readonly (keyof SettingValues)[]
  /**
   * Stores settings. This process uses them after the commit, the other processes a moment later.
   */
  save(tx: Tx, changes: SettingChanges): Promise<unknown>
  /** Returns the name of the community's picture in `media`; null if there is none. */
  picture(): string | null
  /**
   * Replaces the picture of the community, or removes it with null, as `pictures.replace`
   * does. This process shows the change after the commit, the other processes a moment later.
   */
  savePicture(tx: Tx, picture: Picture | null): Promise<string | null>
}

/** The changes of settings to save. A setting that is undefined does not change. */
type SettingChanges = {
  readonly [Name in keyof SettingValues]?: SettingValues[Name] | undefined
}

/** The delays in ms between attempts to read the settings: the first one, and the longest. */
const RELOAD_DELAYS = { first: 100, longest: 5000 }

interface SettingsServices {
  db: Db
  config: Config
  realtime: Pick<RealtimeServer, 'announceSettings' | 'onSettingsChanged' | 'setMembersOnly'>
  log: FastifyBaseLogger
}

/**
 * Reads the settings of the community and returns a store of them. Reads them again whenever a process has
 * saved settings.
 */
export async function createSettingsStore({
  db,
  config,
  realtime,
  log,
}: SettingsServices): Promise<SettingsStore> {
  const variables: Partial<SettingValues> = config.DEMO ? {} : { show_samples: false }
  let stored = createDefaultSettings(config)
  let picture: string | null = null
  let reading = Promise.resolve()
  // Runs one read at a time, so that an older result never replaces a newer one.
  const read = () => (reading = reading.catch(() => {}).then(readAgain))
  let retry: NodeJS.Timeout | undefined
  /** Reads the settings again. If that fails, resolves, and tries again until a read succeeds. */
  const reload = (delay = RELOAD_DELAYS.first): Promise<void> =>
    read().catch((error: unknown) => {
      log.error({ err: error }, 'The settings could not be read')
      clearTimeout(retry)
      retry = setTimeout(() => void reload(Math.min(2 * delay, RELOAD_DELAYS.longest)), delay).unref()
    })
  async function readAgain() {
    stored = await readSettings(db, config)
    picture = await pictures.readName(db)
    realtime.setMembersOnly(isMembersOnly())
  }
  const isMembersOnly = () => stored.who_can_read === 'members'

  realtime.onSettingsChanged(() => void reload())
  await read()

  const announceAfterCommit = (tx: Tx) =>
    tx.afterCommit(() => {
      realtime.announceSettings()
      return reload()
    })

  return {
    current: () => ({ ...stored, ...variables }),
    isMembersOnly,
    fixed: Object.keys(variables) as (keyof SettingValues)[],
    async save(tx, changes) {
      const rows = Object.entries(changes)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => ({ name, value: JSON.stringify(value) }))
      if (!rows.length) return
      await tx
        .insertInto('settings')
        .values(rows)
        .onConflict((c) => c.column('name').doUpdateSet((q) => ({ value: q.ref('excluded.value') })))
        .execute()
      announceAfterCommit(tx)
    },
    picture: () => picture,
    async savePicture(tx, next) {
      announceAfterCommit(tx)
      return pictures.replace(tx, next)
    },
  }
}
