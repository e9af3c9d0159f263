import { texts } from '#web/i18n.ts'

/** The same in both languages, with a translation: see QuotedText. */
export const fixed = {
  pleaseLogIn: { children: 'Please log in.', also: 'ログインしてください。' },
} as const

export const peopleText = texts({
  en: {
    logIn: 'Log in',
    sent: (email: string) => ['We sent a link to ', email, '. Open it to verify your address.'] as const,
    sendAgain: 'Send again',
    searchUsers: 'Search Users',
    searchBy: 'Search by Username',
    people: (n: number, more: boolean) => `${n}${more ? '+' : ''} ${n === 1 && !more ? 'person' : 'people'}`,
    you: 'You',
    follow: 'Follow',
    following: 'Following',
    unfollow: 'Unfollow',
    unfollowWhom: (name: string) => `Unfollow ${name} (following)`,
    followWhom: (name: string) => `Follow ${name}`,
    nobodyFound: (q: string) => `Nobody here is called “${q}”.`,
    nobodyHelp: 'A part of the name is enough.',
    clear: 'Clear',
    retry: 'Retry',
    loadMore: 'Load more',
    membersOnly: 'This page is for members.',
    adminsOnly: 'Only admins may see this.',
    adminsOnlyHelp: 'An admin can make you one.',
    home: 'Back to Home',
    dashboard: 'Admin Dashboard',
  },
  ja: {
    logIn: 'ログイン',
    sent: (email: string) =>
      ['', email, 'に確認メールを送りました。メール内のリンクを開くと確認が完了します。'] as const,
    sendAgain: '確認メールを再送',
    searchUsers: 'ユーザー検索',
    searchBy: 'ユーザー名で検索',
    people: (n: number, more: boolean) => `${n}人${more ? '以上' : ''}`,
    you: 'あなた',
    follow: 'フォローする',
    following: 'フォロー中',
    unfollow: 'フォロー解除',
    unfollowWhom: (name: string) => `${name}さんのフォローを解除（フォロー中）`,
    followWhom: (name: string) => `${name}さんをフォローする`,
    nobodyFound: (q: string) => `「${q}」を含む名前のユーザーは見つかりませんでした。`,
    nobodyHelp: '名前の一部でも検索できます。',
    clear: 'クリア',
    retry: '再試行',
    loadMore: 'さらに読み込む',
    membersOnly: 'このページを見るにはログインが必要です。',
    adminsOnly: 'このページは管理者のみ閲覧できます。',
    adminsOnlyHelp: '必要な場合は、管理者に権限の追加を依頼してください。',
    home: 'ホームへ戻る',
    dashboard: '管理画面',
  },
})
