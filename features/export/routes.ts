import type { AppContext, MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { FileDownload } from '#core/http/downloads.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { httpErrors } from '#core/http/errors.ts'
import { readMe } from '#features/people/read.ts'
import { requireConfirmedSession } from '#features/people/sessions.ts'
import { createArchiveStore } from './archive-store.ts'
import type { exportEndpoints } from './contract.ts'
import { markExportRemoved, readExport, requestExport, toDataExport } from './model.ts'
import { sweepExports } from './sweep.ts'

async function readState({ db, me }: MemberContext) {
  const row = await readExport(db, me.id)
  return { export: row ? toDataExport(row) : null }
}

export function createExportRoutes(app: AppContext): EndpointHandlers<typeof exportEndpoints> {
  const store = createArchiveStore(app)
  /** Deletes the files of removed exports. After a failure, the next sweep deletes them. */
  const deleteFiles = () =>
    sweepExports(app, store).catch((error: unknown) =>
      app.log.warn({ err: error }, 'The archive of an export could not be removed; tried again later'),
    )
  return {
    state: readState,

    request: async (context) => {
      const { db, session, lang, client } = context
      await requireConfirmedSession(db, session.token)
      await requestExport(context, lang, client.network)
      await deleteFiles()
      return readState(context)
    },

    remove: async ({ db, me }) => {
      // The sweep reads the names of all archives, so a repeated call does not start it again.
      if (await transaction(db, (tx) => markExportRemoved(tx, me.id))) await deleteFiles()
    },

    archive: async (context) => {
      const { db, me } = context
      const row = await readExport(db, me.id)
      const { file, bytes } = row ?? {}
      if (!row || !file || !bytes || !(await store.has(file))) throw httpErrors.notFound()
      const { handle } = await readMe(context)
      return new FileDownload({
        bytes: Number(bytes),
        etag: file,
        contentType: 'application/zip',
        filename: `engawa-${handle}-${row.finished_at!.slice(0, 10)}.zip`,
        open: (start, end) => store.open(file, start, end),
      })
    },
  }
}
