import { endpoints } from '#core/contract.ts'
import type { healthSchemas } from './health-schemas.ts'
import type { adminSchemas, auditSchemas, exampleSchemas, retentionSchemas } from './schemas.ts'

export type { CheckResult, ServerHealth, StorageUse } from './health-schemas.ts'
export type {
  AdminSettings,
  BackupStatus,
  Figures,
  LogEntry,
  ManagedAccount,
  Removals,
  RetentionDays,
  RetentionPreview,
} from './schemas.ts'

export const adminEndpoints = endpoints<typeof adminSchemas>({
  users: 'GET /api/admin/users',
  verificationLink: 'GET /api/admin/users/:id/verification-link',
  verifyAll: 'POST /api/admin/users/verified-addresses',
  grant: 'PUT /api/admin/users/:id/admin',
  revoke: 'DELETE /api/admin/users/:id/admin',
  trust: 'PUT /api/admin/users/:id/announcer',
  distrust: 'DELETE /api/admin/users/:id/announcer',
  suspend: 'PUT /api/admin/users/:id/suspension',
  unsuspend: 'DELETE /api/admin/users/:id/suspension',
  removeSecondStep: 'DELETE /api/admin/users/:id/second-step',
  resetCode: 'POST /api/admin/users/:id/reset-code',
  remove: 'DELETE /api/admin/users/:id',
  keep: 'POST /api/admin/users/:id/keep',
  markChild: 'PUT /api/admin/users/:id/child',
  endChild: 'DELETE /api/admin/users/:id/child',
  facts: 'GET /api/admin/facts',
  settings: 'GET /api/admin/settings',
  saveSettings: 'PATCH /api/admin/settings',
})

export const auditEndpoints = endpoints<typeof auditSchemas>({
  list: 'GET /api/audit-log',
})

export const exampleEndpoints = endpoints<typeof exampleSchemas>({
  show: 'GET /api/admin/examples',
  create: 'POST /api/admin/examples',
  remove: 'DELETE /api/admin/examples',
})

export const retentionEndpoints = endpoints<typeof retentionSchemas>({
  show: 'GET /api/retention',
  preview: 'GET /api/admin/retention-preview',
  lastRemovals: 'GET /api/admin/retention',
})

export const healthEndpoints = endpoints<typeof healthSchemas>({
  show: 'GET /api/admin/health',
  storage: 'GET /api/admin/storage',
  testMail: 'POST /api/admin/mail-test',
  retryMails: 'POST /api/admin/mail-retry',
})
