import { defineTexts } from '#web/i18n.ts'
import type { DirectReportSubjectKind, ReportReason, ReportSubjectKind } from '../contract.ts'

/**
 * The texts of the form that makes a report, and of the sections of the page of reports that every member
 * has.
 */
export const reportAndModerationNoticeText = defineTexts({
  en: {
    titles: {
      post: 'Report a post',
      reply: 'Report a reply',
      message: 'Report a message',
      member: 'Report a person',
    } satisfies Record<DirectReportSubjectKind, string>,
    kinds: {
      post: 'Post',
      reply: 'Reply',
      message: 'Message',
      member: 'Person',
      public_message: 'Message in the public chat',
    } satisfies Record<ReportSubjectKind, string>,
    help: 'The moderators of this community read your report. The person does not learn who reported.',
    messageHelp:
      'The moderators get this message with up to five messages before and after it, and nothing else of the chat.',
    reason: 'What is wrong?',
    reasons: {
      spam: 'Spam or fraud',
      insult: 'Insult or harassment',
      violence: 'Violence or threat',
      sexual: 'Sexual content',
      private_data: 'Private data of somebody',
      other: 'Something else',
    } satisfies Record<ReportReason, string>,
    note: 'More about it (optional)',
    send: 'Send report',
    toReports: 'Your reports',
    notFound: 'There is nothing to report here.',
    home: 'Home',
    ownTitle: 'Your reports',
    ownEmpty: 'You have reported nothing.',
    states: { open: 'Is being looked at', acted: 'Something was done', dismissed: 'No measure was needed' },
    showMore: 'Show more',
    noticesTitle: 'From the moderators',
    notices: {
      dismiss: 'A report was closed.',
      hide: 'The moderators have hidden this. Only you can see it.',
      restore: 'This is visible to others again.',
      delete: 'The moderators have deleted this.',
      warn: 'The moderators warn you.',
      suspend: 'The moderators have suspended your account for a time.',
    },
    acknowledge: 'Got it',
  },
  ja: {
    titles: { post: '投稿を報告', reply: '返信を報告', message: 'メッセージを報告', member: 'この人を報告' },
    kinds: {
      post: '投稿',
      reply: '返信',
      message: 'メッセージ',
      member: 'メンバー',
      public_message: '公開チャットの発言',
    },
    help: '報告は、このコミュニティーのモデレーターが読みます。誰が報告したかは相手に伝わりません。',
    messageHelp:
      'モデレーターには、このメッセージと前後それぞれ5件までが伝わります。ほかの会話は伝わりません。',
    reason: '何が問題ですか？',
    reasons: {
      spam: 'スパム・詐欺',
      insult: '悪口・いやがらせ',
      violence: '暴力・脅し',
      sexual: '性的な内容',
      private_data: '他人の個人情報',
      other: 'その他',
    },
    note: '補足（任意）',
    send: '報告する',
    toReports: '自分の報告',
    notFound: '報告できるものがありません。',
    home: 'ホーム',
    ownTitle: '自分の報告',
    ownEmpty: '報告したものはありません。',
    states: { open: '確認中です', acted: '対応しました', dismissed: '対応は必要ないと判断しました' },
    showMore: 'もっと見る',
    noticesTitle: 'モデレーターからのお知らせ',
    notices: {
      dismiss: '報告が終了しました。',
      hide: 'モデレーターがこれを非表示にしました。見えるのは、あなただけです。',
      restore: 'これはまたほかの人にも表示されています。',
      delete: 'モデレーターがこれを削除しました。',
      warn: 'モデレーターからの警告です。',
      suspend: 'モデレーターがアカウントを一定期間停止しました。',
    },
    acknowledge: '読みました',
  },
})
