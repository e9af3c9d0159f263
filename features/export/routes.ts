import { createHmac } from 'node:crypto'
import { isKnownTimeZone } from '#core/community-settings-contract.ts'
import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { FileDownloadResponse } from '#core/http/downloads.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { MEGABYTE } from '#core/media/media.ts'
import { sumStoredBytes } from '#core/media/storage-quota.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'
import { readMe } from '#features/people/read.ts'
import { createDataExportArchiveStore } from './archive-store.ts'
import { cleanUpDataExports } from './cleanup.ts'
import type { dataExportEndpoints } from './contract.ts'
import {
  findCurrentDataExportRow,
  markDataExportOfMemberRemoved,
  requestDataExport,
  toDataExportStateAndProgress,
} from './model.ts'

async function readState({ db, me }: MemberContext) {
  const row = await findCurrentDataExportRow(db, me.id)
  return { export: row ? toDataExportStateAndProgress(row) : null }
}

/**
 * Returns the ETag of an archive for one session. A request that continues a download with this ETag needs no
 * new confirmation of the identity (see `assertMayBegin`). The hash contains the session, so that an ETag
 * works only in the session that has confirmed the identity and begun the download.
 */
const createArchiveTag = ({ SECRET }: Config, file: string, token: string) =>
  createHmac('sha256', SECRET)
    .update(`archive ${file} ${hashSessionToken(token)}`)
    .digest('base64url')

export function createDataExportEndpointHandlers(
  app: AppContext,
): EndpointHandlers<typeof dataExportEndpoints> {
  const store = createDataExportArchiveStore(app)
  /** Deletes the files of removed exports. If that fails, the next regular clean-up deletes them. */
  const deleteFiles = () =>
    cleanUpDataExports(app, store).catch((error: unknown) =>
      app.log.warn({ err: error }, 'The archive of an export could not be removed; tried again later'),
    )
  return {
    state: readState,

    storage: async ({ db, me, settings }) => {
      const maxMb = settings.current().max_member_storage_mb
      return { bytes: await sumStoredBytes(db, me.id), max_bytes: maxMb ? maxMb * MEGABYTE : null }
    },

    request: async (context) => {
      const { lang, client, input, settings } = context
      const zone = input.time_zone
      const timeZone = zone && isKnownTimeZone(zone) ? zone : (settings.current().time_zone ?? 'UTC')
      await requestDataExport(context, { lang, timeZone, network: client.network })
      await deleteFiles()
      return readState(context)
    },

    remove: async ({ db, me }) => {
      // Deletes the files only if the member had an export: `deleteFiles` lists all archives, so repeated
      // calls would be slow.
      if (await transaction(db, (tx) => markDataExportOfMemberRemoved(tx, me.id))) await deleteFiles()
    },

    archive: async (context) => {
      const { db, me, config, session } = context
      const row = await findCurrentDataExportRow(db, me.id)
      const { file, bytes } = row ?? {}
      if (!row || !file || !bytes || !(await store.has(file))) throw httpErrorFactories.notFound()
      const { handle } = await readMe(context)
      return new FileDownloadResponse({
        bytes: Number(bytes),
        etag: createArchiveTag(config, file, session.token),
        contentType: 'application/zip',
        filename: `engawa-${handle}-${row.finished_at!.slice(0, 10)}.zip`,
        assertMayBegin: async () => {
          if (!(await session.isConfirmed())) throw httpErrorFactories.confirmationNeeded()
        },
        open: (start, end) => store.open(file, start, end),
      })
    },
  }
}
