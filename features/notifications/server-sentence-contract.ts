import type { Language } from '#core/contract.ts'
import type { ServerCondition } from './server-schemas.ts'
export type ServerSentence = `server_${ServerCondition}` | `server_${ServerCondition}_over`

/** For notifications and mails to admins. */
export const serverSentences: Record<Language, Record<ServerSentence, string>> = {
  en: {
    server_backup: 'The backup failed or is overdue',
    server_backup_over: 'Backups work again',
    server_disk_low: 'The disk of the server is getting full',
    server_disk_low_over: 'The disk of the server has enough space again',
    server_disk_full: 'The disk of the server is almost full',
    server_disk_full_over: 'The disk of the server is no longer almost full',
    server_mail: 'Mails cannot be sent',
    server_mail_over: 'Mails are being sent again',
    server_push: 'Notifications do not reach the devices',
    server_push_over: 'Notifications reach the devices again',
    server_certificate: 'The certificate for HTTPS ends soon',
    server_certificate_over: 'The certificate for HTTPS has been renewed',
    server_audit_log: 'The log of what admins did was changed with another tool',
    server_audit_log_over: 'The log of what admins did is in order again',
  },
  ja: {
    server_backup: 'バックアップに失敗したか、予定どおりに行われていません',
    server_backup_over: 'バックアップは正常に戻りました',
    server_disk_low: 'サーバーのディスクの空きが少なくなっています',
    server_disk_low_over: 'サーバーのディスクに十分な空きができました',
    server_disk_full: 'サーバーのディスクがほぼいっぱいです',
    server_disk_full_over: 'サーバーのディスクに少し余裕ができました',
    server_mail: 'メールを送信できません',
    server_mail_over: 'メールの送信は正常に戻りました',
    server_push: '端末への通知が届いていません',
    server_push_over: '端末への通知は正常に戻りました',
    server_certificate: 'HTTPSの証明書の期限が近づいています',
    server_certificate_over: 'HTTPSの証明書は更新されました',
    server_audit_log: '管理者の操作記録が、別の手段で書き換えられました',
    server_audit_log_over: '管理者の操作記録は正常に戻りました',
  },
}

export const serverSentenceOf = (condition: ServerCondition, is_over: boolean): ServerSentence =>
  `server_${condition}${is_over ? '_over' : ''}`
