import { defineTexts } from '#web/i18n.ts'

export const peopleText = defineTexts({
  en: {
    logIn: 'Log in',
    linkSent: (email: string) => ['We sent a link to ', email, '. Open it to verify your address.'] as const,
    noMailServer: (email: string) =>
      ['', email, ' is not verified yet. Please ask an admin for the link that verifies it.'] as const,
    noMailServerAdmin: (email: string) =>
      ['', email, ' is not verified yet. You can find the link in the list of users.'] as const,
    userList: 'User list',
    sendAgain: 'Send again',
    searchUsers: 'Search Users',
    searchBy: 'Search by Username',
    people: (n: number, more: boolean) => `${n}${more ? '+' : ''} ${n === 1 && !more ? 'person' : 'people'}`,
    you: 'You',
    follow: 'Follow',
    following: 'Following',
    unfollow: 'Unfollow',
    unfollowPerson: (name: string) => `Unfollow ${name} (following)`,
    followPerson: (name: string) => `Follow ${name}`,
    /**
     * The beginning of the error message that a page shows when following or unfollowing fails. The page adds
     * the reason after it.
     */
    followFailed: (name: string, isUnfollow: boolean) =>
      `${isUnfollow ? 'Unfollowing' : 'Following'} ${name} was not saved. `,
    nobodyFound: (q: string) => `Nobody here is called “${q}”.`,
    nobodyFoundHelp: 'You can search for a part of a name.',
    clear: 'Clear',
    retry: 'Retry',
    loadMore: 'Load more',
    close: 'Close',
  },
  ja: {
    logIn: 'ログイン',
    linkSent: (email: string) =>
      ['', email, 'に確認メールを送りました。メール内のリンクを開くと確認が完了します。'] as const,
    noMailServer: (email: string) =>
      ['', email, 'はまだ確認されていません。確認用のリンクは管理者から受け取れます。'] as const,
    noMailServerAdmin: (email: string) =>
      ['', email, 'はまだ確認されていません。確認用のリンクはユーザー一覧にあります。'] as const,
    userList: 'ユーザー一覧',
    sendAgain: '確認メールを再送',
    searchUsers: 'ユーザー検索',
    searchBy: 'ユーザー名で検索',
    people: (n: number, more: boolean) => `${n}人${more ? '以上' : ''}`,
    you: 'あなた',
    follow: 'フォローする',
    following: 'フォロー中',
    unfollow: 'フォロー解除',
    unfollowPerson: (name: string) => `${name}さんのフォローを解除（フォロー中）`,
    followPerson: (name: string) => `${name}さんをフォローする`,
    followFailed: (name: string, isUnfollow: boolean) =>
      `${name}さんのフォロー${isUnfollow ? '解除' : ''}を保存できませんでした。`,
    nobodyFound: (q: string) => `「${q}」を含む名前のユーザーは見つかりませんでした。`,
    nobodyFoundHelp: '名前の一部でも検索できます。',
    clear: 'クリア',
    retry: '再試行',
    loadMore: 'さらに読み込む',
    close: '閉じる',
  },
})
