import { defineTexts, pluralSuffix } from '#web/i18n.ts'

export const deletionText = defineTexts({
  en: {
    title: 'Delete the account',
    toSection: 'Keep my account',
    help: 'The account is deleted after a week. Until then you can change your mind.',
    goes: 'This is deleted:',
    stays: 'This stays, without your name and picture, as written by “Former member”:',
    staysNothing: 'Nothing that you have written stays.',
    content: {
      profile: 'name, handle, picture, bio and email address',
      posts: (n: number) => `${n} post${pluralSuffix(n)}`,
      pictures: (n: number) => `${n} picture${pluralSuffix(n)} in posts`,
      relations: 'likes, follows, cart and settings',
      groups: (n: number) => `membership in ${n} group${pluralSuffix(n)}`,
      privateMessages: (n: number) => `${n} message${pluralSuffix(n)} in private chats`,
      groupMessages: (n: number) => `${n} message${pluralSuffix(n)} in groups`,
    },
    messages: 'Messages to others',
    keepMessages: 'Keep them, without your name and picture',
    deleteMessages: 'Delete them too',
    backups:
      'Backups that were made before, and archives that others made of their own data, still contain it until they are deleted too.',
    open: 'Delete account…',
    dialogTitle: 'Delete your account?',
    handle: (handle: string) => `Type your handle, ${handle}, to confirm`,
    wrongHandle: (handle: string) => `Please type ${handle}.`,
    confirm: 'Delete account',
    cancel: 'Cancel',
    requested: (date: string) => `Your account will be deleted on ${date}.`,
    pending: (date: string) =>
      `Your account will be deleted on ${date}. Until then you can use it as before.`,
    pendingByAdmin: (date: string) =>
      `An admin has requested that your account is deleted on ${date}. Please contact an admin if you want to keep it.`,
    keep: 'Keep my account',
    kept: 'Your account stays.',
  },
  ja: {
    title: 'アカウントの削除',
    toSection: 'アカウントを残す',
    help: 'アカウントは1週間後に削除されます。それまでは取り消せます。',
    goes: '削除されるもの：',
    stays: '名前と画像のない「元メンバー」のものとして残るもの：',
    staysNothing: 'あなたが書いたものは何も残りません。',
    content: {
      profile: '名前、ハンドル、画像、自己紹介、メールアドレス',
      posts: (n: number) => `投稿${n}件`,
      pictures: (n: number) => `投稿の画像${n}枚`,
      relations: 'いいね、フォロー、カート、設定',
      groups: (n: number) => `${n}件のグループへの参加`,
      privateMessages: (n: number) => `個別チャットのメッセージ${n}件`,
      groupMessages: (n: number) => `グループのメッセージ${n}件`,
    },
    messages: 'ほかの人へのメッセージ',
    keepMessages: '名前と画像なしで残す',
    deleteMessages: 'メッセージも削除する',
    backups:
      'それまでに作られたバックアップと、ほかの人が作成したデータのアーカイブには、それらが削除されるまで残ります。',
    open: 'アカウントを削除…',
    dialogTitle: 'アカウントを削除しますか？',
    handle: (handle: string) => `確認のため、ハンドル「${handle}」を入力してください`,
    wrongHandle: (handle: string) => `「${handle}」と入力してください。`,
    confirm: 'アカウントを削除',
    cancel: 'キャンセル',
    requested: (date: string) => `アカウントは${date}に削除されます。`,
    pending: (date: string) =>
      `アカウントは${date}に削除されます。それまでは、これまでどおりお使いいただけます。`,
    pendingByAdmin: (date: string) =>
      `管理者の申請により、アカウントは${date}に削除されます。残したい場合は、管理者にお問い合わせください。`,
    keep: 'アカウントを残す',
    kept: 'アカウントの削除を取り消しました。',
  },
})
