import type { LocalizedSentence } from '#core/contract.ts'
import type { SecurityEventKind } from './tables.ts'

/** The names of the security events in the archive of a member's data. */
export const securityEventTexts: Readonly<Record<SecurityEventKind, LocalizedSentence>> = {
  registered: { en: 'Account created', ja: 'アカウントの作成' },
  logged_in: { en: 'Logged in', ja: 'ログイン' },
  log_in_failed: { en: 'Wrong password at a log-in', ja: 'ログイン時のパスワード間違い' },
  password_changed: { en: 'Password changed', ja: 'パスワードの変更' },
  email_changed: { en: 'Email address changed', ja: 'メールアドレスの変更' },
  email_restored: { en: 'Change of the email address undone', ja: 'メールアドレスの変更の取り消し' },
  recovery_codes_created: { en: 'Recovery codes created', ja: '復旧コードの作成' },
  recovery_code_used: { en: 'Recovery code used', ja: '復旧コードの使用' },
  second_step_added: { en: 'Second step turned on', ja: '2段階認証の有効化' },
  second_step_removed: { en: 'Second step turned off', ja: '2段階認証の無効化' },
  second_step_failed: { en: 'Wrong code at a log-in', ja: 'ログイン時のコード間違い' },
  password_reset: { en: 'Password reset', ja: 'パスワードの再設定' },
  reset_code_created: { en: 'Code for a new password created', ja: 'パスワード再設定用コードの作成' },
  session_ended: { en: 'Devices logged out', ja: '端末のログアウト' },
  email_verified: { en: 'Email address verified', ja: 'メールアドレスの確認' },
  admin_granted: { en: 'Admin rights granted', ja: '管理者権限の付与' },
  admin_revoked: { en: 'Admin rights removed', ja: '管理者権限の削除' },
  suspended: { en: 'Account suspended', ja: 'アカウントの停止' },
  unsuspended: { en: 'Suspension lifted', ja: '停止の解除' },
  logged_in_with_passkey: { en: 'Logged in with a passkey', ja: 'パスキーでログイン' },
  passkey_added: { en: 'Passkey added', ja: 'パスキーの追加' },
  passkey_removed: { en: 'Passkey removed', ja: 'パスキーの削除' },
  deletion_requested: { en: 'Deletion of the account requested', ja: 'アカウント削除の申請' },
  deletion_cancelled: { en: 'Deletion of the account taken back', ja: 'アカウント削除の取り消し' },
  data_exported: { en: 'Archive of the data requested', ja: 'データのアーカイブの作成' },
}
