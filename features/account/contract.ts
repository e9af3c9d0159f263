import { endpoints } from '#core/contract.ts'
import type { passkeySchemas } from './passkey-schemas.ts'
import type { accountSchemas, deletionSchemas, deviceLinkSchemas, secondStepSchemas } from './schemas.ts'

export type { Assertion, Attestation, ListedPasskey } from './passkey-schemas.ts'
export type { AccountDeletion, ContentCounts, LinkState, ListedSession, MessagesChoice } from './schemas.ts'

export const accountEndpoints = endpoints<typeof accountSchemas>({
  logIn: 'POST /login',
  forgotPassword: 'POST /forgot-password',
  resetPassword: 'POST /reset-password',
  confirm: 'POST /api/account/confirm',
  changePassword: 'PUT /api/account/password',
  sessions: 'GET /api/account/sessions',
  endSession: 'DELETE /api/account/sessions/:id',
  endOtherSessions: 'DELETE /api/account/sessions',
  recoveryCodes: 'GET /api/account/recovery-codes',
  createRecoveryCodes: 'POST /api/account/recovery-codes',
  securityEvents: 'GET /api/account/security-events',
  pendingEmail: 'GET /api/account/email',
  changeEmail: 'POST /api/account/email',
  cancelEmailChange: 'DELETE /api/account/email',
  verifyEmailChange: 'POST /api/account/email/verify',
  undoEmailChange: 'POST /api/account/email/undo',
})

export const deletionEndpoints = endpoints<typeof deletionSchemas>({
  state: 'GET /api/account/deletion',
  request: 'DELETE /api/account',
  keep: 'POST /api/account/keep',
})

export const deviceLinkEndpoints = endpoints<typeof deviceLinkSchemas>({
  create: 'POST /api/account/device-link',
  state: 'GET /api/account/device-link',
  cancel: 'DELETE /api/account/device-link',
  check: 'POST /api/device-links/check',
  use: 'POST /api/device-links/use',
})

export const secondStepEndpoints = endpoints<typeof secondStepSchemas>({
  challenge: 'POST /two-factor-challenge',
  state: 'GET /api/account/one-time-codes',
  start: 'POST /api/account/one-time-codes',
  confirm: 'POST /api/account/one-time-codes/confirm',
  remove: 'POST /api/account/one-time-codes/remove',
})

export const passkeyEndpoints = endpoints<typeof passkeySchemas>({
  list: 'GET /api/account/passkeys',
  registrationOptions: 'POST /api/account/passkeys/options',
  register: 'POST /api/account/passkeys',
  rename: 'PUT /api/account/passkeys/:id',
  remove: 'DELETE /api/account/passkeys/:id',
  logInOptions: 'POST /api/passkeys/log-in/options',
  logIn: 'POST /api/passkeys/log-in',
  challengeOptions: 'POST /two-factor-challenge/passkey/options',
  challenge: 'POST /two-factor-challenge/passkey',
  confirmOptions: 'POST /api/account/confirm-passkey/options',
  confirm: 'POST /api/account/confirm-passkey',
})
