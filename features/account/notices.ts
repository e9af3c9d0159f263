import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import type { Client } from '#core/http/client.ts'
import { languageOf } from '#features/people/languages.ts'
import { canMail, mailMember } from '#features/people/member-mails.ts'
import * as people from '#features/people/read.ts'

const resetMistake = {
  en: 'If that was you, you can ignore this mail. If not, set a new password at once with “Forgot your password?” on the log-in page, and tell an admin.',
  ja: 'ご自身の操作であれば、何もする必要はありません。お心当たりがない場合は、すぐにログインページの「パスワードをお忘れですか？」から新しいパスワードを設定し、管理者にも知らせてください。',
}

const texts = {
  en: {
    logged_in: {
      subject: (app: string) => `New log-in to ${app}`,
      text: 'Somebody has logged in to your account with a browser that has not been used with it before.',
    },
    password_changed: {
      subject: (app: string) => `Your password for ${app} has changed`,
      text: 'The password of your account has been changed. All other devices have been logged out.',
    },
    recovery_codes_created: {
      subject: (app: string) => `New recovery codes for ${app}`,
      text: 'New recovery codes have been created for your account. The old ones no longer work.',
    },
    recovery_code_used: {
      subject: (app: string) => `A recovery code for ${app} was used`,
      text: 'One of the recovery codes of your account has been used. It no longer works.',
    },
    second_step_added: {
      subject: (app: string) => `A second step protects your account of ${app}`,
      text: 'The second step was turned on. From now on, a log-in asks for a code of your authenticator app too. Your other devices have been logged out.',
    },
    second_step_removed: {
      subject: (app: string) => `The second step of your account of ${app} is off`,
      text: 'The second step was turned off. A log-in asks only for the password now.',
    },
    second_step_failing: {
      subject: (app: string) => `Somebody may know your password for ${app}`,
      text: 'Ten times in a day, somebody has given your password and then a wrong code or a wrong passkey.',
      mistake:
        'If that was you, you can ignore this mail. If not, somebody knows your password. Please set a new one at once, on the account page or with “Forgot your password?” on the log-in page.',
    },
    second_step_stopped: {
      subject: (app: string) => `Log-ins with your password for ${app} are stopped`,
      text: 'A hundred times in a day, somebody has given your password and then a wrong code or a wrong passkey. So codes are no longer accepted, until you set a new password. You can still log in with a passkey alone.',
      mistake:
        'Please set a new password now, on the account page or with “Forgot your password?” on the log-in page.',
    },
    second_step_removed_by_admin: {
      subject: (app: string) => `An admin removed the second step of your account of ${app}`,
      text: 'An admin has removed the second step of your account, so that you can log in without your authenticator app. Please set it up again.',
    },
    password_reset: {
      subject: (app: string) => `Your password for ${app} was reset`,
      text: 'A new password has been set for your account with a link from a mail or with the code of an admin. All devices have been logged out and all passkeys removed. Without a second step, the recovery codes were removed too. If you had requested the deletion of your account, it has been taken back.',
      mistake: resetMistake.en,
    },
    password_reset_with_recovery_code: {
      subject: (app: string) => `Your password for ${app} was reset`,
      text: 'A new password has been set for your account with a recovery code. All devices have been logged out. The passkeys and the other recovery codes still work.',
      mistake: resetMistake.en,
    },
    reset_code_created: {
      subject: (app: string) => `A code for a new password for ${app}`,
      text: 'An admin has created a code with which you can set a new password. It is valid for 30 minutes. The mail does not contain it: the admin tells you.',
      mistake:
        'If you did not ask for a code, please tell another admin: whoever has the code can open your account.',
    },
    password_set_by_operator: {
      subject: (app: string) => `The operator of ${app} set your password`,
      text: 'The operator of the server has set a new password for your account. All devices have been logged out.',
      mistake: 'If you did not ask for that, please ask the operator.',
    },
    second_step_removed_by_operator: {
      subject: (app: string) => `The operator of ${app} removed your second step`,
      text: 'The operator of the server has removed the second step and the passkeys of your account, so that you can log in with your password alone. Please set them up again.',
      mistake: 'If you did not ask for that, please ask the operator.',
    },
    admin_granted: {
      subject: (app: string) => `You are an admin of ${app} now`,
      text: 'An admin has made you an admin too. You can use the admin pages.',
      mistake: 'If you did not expect this, please ask another admin.',
    },
    admin_revoked: {
      subject: (app: string) => `You are no longer an admin of ${app}`,
      text: 'An admin has removed your admin rights. For seven days, no admin can create a code for a new password of your account, or remove its second step.',
      mistake: 'If you did not expect this, please ask another admin.',
    },
    passkey_added: {
      subject: (app: string) => `New passkey for ${app}`,
      text: 'A passkey has been added to your account. Whoever has it can log in without the password.',
    },
    passkey_removed: {
      subject: (app: string) => `A passkey for ${app} was removed`,
      text: 'A passkey of your account has been removed. It can no longer log in.',
    },
    device: (device: string) => `Device: ${device}`,
    network: (network: string) => `Network: ${network}`,
    button: 'Check your account',
    mistake:
      'If that was you, you can ignore this mail. If not, change your password at once and end the other sessions.',
  },
  ja: {
    logged_in: {
      subject: (app: string) => `【${app}】新しい端末からログインがありました`,
      text: 'いつもと違う端末かブラウザーから、あなたのアカウントにログインがありました。',
    },
    password_changed: {
      subject: (app: string) => `【${app}】パスワードが変更されました`,
      text: 'アカウントのパスワードが変更され、ほかの端末からはログアウトしました。',
    },
    recovery_codes_created: {
      subject: (app: string) => `【${app}】復旧コードが新しくなりました`,
      text: 'あなたのアカウントの復旧コードが新しく作られました。以前のコードはもう使えません。',
    },
    recovery_code_used: {
      subject: (app: string) => `【${app}】復旧コードが使われました`,
      text: 'あなたのアカウントの復旧コードが1つ使われました。そのコードはもう使えません。',
    },
    second_step_added: {
      subject: (app: string) => `【${app}】2段階認証がオンになりました`,
      text: '2段階認証がオンになりました。今後のログインでは、認証アプリのコードも必要です。ほかの端末からはログアウトしました。',
    },
    second_step_removed: {
      subject: (app: string) => `【${app}】2段階認証がオフになりました`,
      text: '2段階認証がオフになりました。今後はパスワードだけでログインできます。',
    },
    second_step_failing: {
      subject: (app: string) => `【${app}】パスワードが知られているおそれがあります`,
      text: 'この24時間に10回、正しいパスワードのあとに、間違ったコードかパスキーでログインが試されました。',
      mistake:
        'ご自身の操作でなければ、パスワードをほかの人に知られているおそれがあります。すぐに、「アカウント」ページか、ログインページの「パスワードをお忘れですか？」から、新しいパスワードを設定してください。',
    },
    second_step_stopped: {
      subject: (app: string) => `【${app}】パスワードでのログインを停止しました`,
      text: 'この24時間に100回、正しいパスワードのあとに、間違ったコードかパスキーでログインが試されました。安全のため、新しいパスワードを設定するまで、コードではログインできません。パスキーでのログインは、これまでどおりできます。',
      mistake:
        'すぐに、「アカウント」ページか、ログインページの「パスワードをお忘れですか？」から、新しいパスワードを設定してください。',
    },
    second_step_removed_by_admin: {
      subject: (app: string) => `【${app}】管理者が2段階認証を解除しました`,
      text: '認証アプリなしでログインできるように、管理者があなたのアカウントの2段階認証を解除しました。もう一度設定してください。',
    },
    password_reset: {
      subject: (app: string) => `【${app}】パスワードが再設定されました`,
      text: 'メールのリンクか管理者のコードを使って、新しいパスワードが設定されました。すべての端末からログアウトし、パスキーは削除されました。2段階認証をお使いでない場合は、復旧コードも削除されています。アカウントの削除の手続き中だった場合は、取り消されました。',
      mistake: resetMistake.ja,
    },
    password_reset_with_recovery_code: {
      subject: (app: string) => `【${app}】パスワードが再設定されました`,
      text: '復旧コードを使って、アカウントの新しいパスワードが設定され、すべての端末からログアウトしました。パスキーとほかの復旧コードは、引き続き使えます。',
      mistake: resetMistake.ja,
    },
    reset_code_created: {
      subject: (app: string) => `【${app}】パスワード再設定用のコードが作られました`,
      text: '管理者が、新しいパスワードを設定するためのコードを作りました。コードは30分間有効です。このメールにコードは書かれていません。管理者からお聞きください。',
      mistake:
        'コードを頼んだ覚えがない場合は、すぐにほかの管理者に知らせてください。このコードがあれば、あなたのアカウントに入れてしまいます。',
    },
    password_set_by_operator: {
      subject: (app: string) => `【${app}】サーバーの運営者がパスワードを設定しました`,
      text: 'サーバーの運営者が、あなたのアカウントに新しいパスワードを設定しました。すべての端末からログアウトしています。',
      mistake: '依頼したお心当たりがない場合は、サーバーの運営者にお問い合わせください。',
    },
    second_step_removed_by_operator: {
      subject: (app: string) => `【${app}】サーバーの運営者が2段階認証を解除しました`,
      text: 'パスワードだけでログインできるように、サーバーの運営者があなたのアカウントの2段階認証とパスキーを解除しました。もう一度設定してください。',
      mistake: '依頼したお心当たりがない場合は、サーバーの運営者にお問い合わせください。',
    },
    admin_granted: {
      subject: (app: string) => `【${app}】管理者になりました`,
      text: 'ほかの管理者が、あなたを管理者にしました。管理画面を使えるようになりました。',
      mistake: 'お心当たりがない場合は、ほかの管理者にお尋ねください。',
    },
    admin_revoked: {
      subject: (app: string) => `【${app}】管理者ではなくなりました`,
      text: 'ほかの管理者が、あなたを管理者から外しました。安全のため、今後7日間は、ほかの管理者があなたのパスワード再設定用コードを作ったり、2段階認証を解除したりすることはできません。',
      mistake: 'お心当たりがない場合は、ほかの管理者にお尋ねください。',
    },
    passkey_added: {
      subject: (app: string) => `【${app}】パスキーが追加されました`,
      text: 'アカウントにパスキーが追加されました。このパスキーを持つ人は、パスワードなしでログインできます。',
    },
    passkey_removed: {
      subject: (app: string) => `【${app}】パスキーが削除されました`,
      text: 'アカウントのパスキーが削除されました。このパスキーではログインできなくなりました。',
    },
    device: (device: string) => `端末：${device}`,
    network: (network: string) => `ネットワーク：${network}`,
    button: 'アカウントを確認する',
    mistake:
      'ご自身の操作であれば、何もする必要はありません。お心当たりがない場合は、すぐにパスワードを変更し、ほかの端末からログアウトしてください。',
  },
} satisfies Record<Language, object>

export type SecurityMailKind = Exclude<
  keyof (typeof texts)['en'],
  'device' | 'network' | 'button' | 'mistake'
>

interface NoticeTexts {
  subject: (app: string) => string
  text: string
  /** By default the text that is the same for all events. */
  mistake?: string
}

interface SecurityNotice {
  user: number
  kind: SecurityMailKind
  /** Without `client`, only if the language of the member is unknown. */
  lang: Language
  /**
   * Left out if somebody else, such as an admin, may have made the request: then in the member's language.
   */
  client?: Client
}

export async function sendSecurityMail(
  context: Pick<AppContext, 'config' | 'publicSite'>,
  tx: Tx,
  { user, kind, client, ...request }: SecurityNotice,
) {
  const recipient = await people.findRecipient(tx, user)
  if (!canMail(context.config, recipient)) return
  const lang = client ? request.lang : await languageOf(tx, user, request.lang)
  const t = texts[lang]
  const { subject, text, mistake = t.mistake }: NoticeTexts = t[kind]
  const device = client?.device()
  await mailMember(context, tx, user, recipient, {
    lang,
    subject,
    paragraphs: [text, ...(device ? [t.device(device)] : []), ...(client ? [t.network(client.network)] : [])],
    button: { label: t.button, path: '/account' },
    closing: [mistake],
  })
}
