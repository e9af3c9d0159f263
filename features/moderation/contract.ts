import { endpoints } from '#core/contract.ts'
import type { moderationSchemas, reportSchemas } from './schemas.ts'

export type {
  DecisionAction,
  DirectKind,
  EvidenceItem,
  ListedCase,
  ModerationCase,
  ModerationNotice,
  OwnReport,
  ReportKind,
  ReportReason,
} from './schemas.ts'

export const MAX_NOTE_LENGTH = 1000
/** By one member in 24 hours. */
export const MAX_REPORTS = 20
export const MAX_NOTICES = 20
export const reportReasons = ['spam', 'insult', 'violence', 'sexual', 'private_data', 'other'] as const

export const reportEndpoints = endpoints<typeof reportSchemas>({
  create: 'POST /api/reports',
  mine: 'GET /api/reports',
  notices: 'GET /api/account/notices',
  acknowledge: 'POST /api/account/notices/:id/acknowledge',
})

export const moderationEndpoints = endpoints<typeof moderationSchemas>({
  cases: 'GET /api/moderation/cases',
  show: 'GET /api/moderation/cases/:id',
  open: 'POST /api/moderation/cases/:id/open',
  decide: 'POST /api/moderation/cases/:id/decisions',
  moderators: 'GET /api/moderators',
  appoint: 'POST /api/moderators',
  removeModerator: 'DELETE /api/moderators/:id',
})
