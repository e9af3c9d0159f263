import { createHmac } from 'node:crypto'
import { isKnownTimeZone } from '#core/community/settings-contract.ts'
import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { Download } from '#core/http/downloads.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { httpErrors } from '#core/http/errors.ts'
import { quotaBytes, storedBytes } from '#core/media/storage-quota.ts'
import { hashSession } from '#core/realtime/authorisation.ts'
import * as people from '#features/people/read.ts'
import { createStore } from './archive-store.ts'
import { cleanUp } from './cleanup.ts'
import type { exportEndpoints } from './contract.ts'
import * as model from './model.ts'

async function readState({ db, me }: MemberContext) {
  const row = await model.findCurrent(db, me.id)
  return { export: row ? model.toState(row) : null }
}

/**
 * A request with this ETag continues a download without a new confirmation (see `assertMayBegin`). It works
 * only in the session that has confirmed and begun the download.
 */
const createArchiveTag = ({ SECRET }: Config, file: string, token: string) =>
  createHmac('sha256', SECRET)
    .update(`archive ${file} ${hashSession(token)}`)
    .digest('base64url')

export function exportHandlers(app: AppContext): Handlers<typeof exportEndpoints> {
  const store = createStore(app)
  /** If that fails, the next regular clean-up deletes them. */
  const deleteFiles = () =>
    cleanUp(app, store).catch((error: unknown) =>
      app.log.warn({ err: error }, 'The archive of an export could not be removed; tried again later'),
    )
  return {
    state: readState,

    storage: async ({ db, me, settings }) => {
      const maxMb = settings.current().max_member_storage_mb
      return { bytes: await storedBytes(db, me.id), max_bytes: maxMb ? quotaBytes(maxMb) : null }
    },

    request: async (context) => {
      const { lang, client, input, settings } = context
      const zone = input.time_zone
      const timeZone = zone && isKnownTimeZone(zone) ? zone : (settings.current().time_zone ?? 'UTC')
      await model.request(context, { lang, timeZone, network: client.network })
      await deleteFiles()
      return readState(context)
    },

    remove: async ({ db, me }) => {
      // Only if there was an export: `deleteFiles` lists all archives, so repeated calls would be slow.
      if (await transaction(db, (tx) => model.remove(tx, me.id))) await deleteFiles()
    },

    archive: async (context) => {
      const { db, me, config, session } = context
      const row = await model.findCurrent(db, me.id)
      const { file, bytes } = row ?? {}
      if (!row || !file || !bytes || !(await store.has(file))) throw httpErrors.notFound()
      const { handle } = await people.getMe(context)
      return new Download({
        bytes: Number(bytes),
        etag: createArchiveTag(config, file, session.token),
        contentType: 'application/zip',
        filename: `engawa-${handle}-${row.finished_at!.slice(0, 10)}.zip`,
        assertMayBegin: async () => {
          if (!(await session.isConfirmed())) throw httpErrors.confirmationNeeded()
        },
        open: (start, end) => store.open(file, start, end),
      })
    },
  }
}
