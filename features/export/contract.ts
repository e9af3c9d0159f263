import * as v from 'valibot'
import {
  createOptionalTextSchema,
  defineEndpoint,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'

export const dataExportStateAndProgressSchema = v.object({
  /**
   * The state of the export. The state is `waiting` before the first attempt to make the archive, and
   * `running` from then on, also between a failed attempt and the next one.
   */
  state: v.picklist(['waiting', 'running', 'ready', 'failed']),
  /** From 0 to 1. */
  progress: v.number(),
  /** The size of the archive in bytes; null until the archive is ready. */
  bytes: v.nullable(v.number()),
  created_at: isoTimestampSchema,
  /**
   * The time at which the archive will be deleted, or after which a failure is no longer shown. Null until
   * the archive is ready or has failed.
   */
  expires_at: v.nullable(isoTimestampSchema),
})
export type DataExportStateAndProgress = v.InferOutput<typeof dataExportStateAndProgressSchema>
const ExportRequest = v.object({
  /**
   * The time zone in which the pages of the archive show times, as the browser names it, such as
   * `Asia/Tokyo`. If the time zone is missing or unknown, the pages use that of the community, or UTC if the
   * community has none.
   */
  time_zone: createOptionalTextSchema(64),
})
const ExportAnswer = v.object({ export: v.nullable(dataExportStateAndProgressSchema) })

export const dataExportEndpoints = {
  /** Returns the state of the member's current archive; null if there is none. */
  state: defineEndpoint('GET /api/account/export', 'member', noInputSchema, ExportAnswer),
  /** Returns how much room the member's pictures and files take, in bytes, and how much they may take. */
  storage: defineEndpoint(
    'GET /api/account/storage',
    'member',
    noInputSchema,
    v.object({ bytes: v.number(), max_bytes: v.nullable(v.number()) }),
  ),
  /**
   * Requests a new archive, which replaces a finished one. If an archive is being made already, only returns
   * the state of that archive.
   */
  request: defineEndpoint('POST /api/account/export', 'member', ExportRequest, ExportAnswer, {
    limits: [{ max: 10, by: 'account' }],
    needsConfirmation: true,
  }),
  /** Deletes the member's archive, or stops an archive that is being made. */
  remove: defineEndpoint('DELETE /api/account/export', 'member', noInputSchema, v.undefined(), {
    status: 204,
    limits: [{ max: 10, by: 'account' }],
  }),
  /**
   * Downloads the member's archive. The member must have confirmed their identity in this session, except for
   * the rest of a download that this session has begun (`Range` with `If-Range`).
   */
  archive: defineEndpoint('GET /api/account/export/archive', 'member', noInputSchema, v.undefined(), {
    download: 'application/zip',
    errorStatuses: [404, 423],
  }),
}
