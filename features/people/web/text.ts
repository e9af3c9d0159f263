import { san } from '#core/text/honorific.ts'
import { defineTexts, pluralSuffix } from '#web/i18n.ts'

export const peopleText = defineTexts({
  en: {
    logIn: 'Log in',
    searchUsers: 'Search Users',
    searchBy: 'Search by Username',
    people: (n: number, more: boolean) => `${n}${more ? '+' : ''} ${n === 1 && !more ? 'person' : 'people'}`,
    you: 'You',
    follow: 'Follow',
    following: 'Following',
    unfollow: 'Unfollow',
    unfollowPerson: (name: string) => `Unfollow ${name} (following)`,
    followPerson: (name: string) => `Follow ${name}`,
    waiting: 'Waiting for an OK',
    waitingFor: (name: string) => `Waiting for an OK to follow ${name}`,
    /** The page adds the reason after it. */
    followFailed: (name: string, isUnfollow: boolean) =>
      `${isUnfollow ? 'Unfollowing' : 'Following'} ${name} was not saved. `,
    nobodyFound: (q: string) => `Nobody here is called “${q}”.`,
    nobodyFoundHelp: 'You can search for a part of a name.',
    otherInitials: 'Others',
    clear: 'Clear',
    retry: 'Retry',
    loadMore: 'Load more',
    close: 'Close',
  },
  ja: {
    logIn: 'ログイン',
    searchUsers: 'メンバーを探す',
    searchBy: '名前で検索',
    people: (n: number, more: boolean) => `${n}人${more ? '以上' : ''}`,
    you: 'あなた',
    follow: 'フォローする',
    following: 'フォロー中',
    unfollow: 'フォローをやめる',
    unfollowPerson: (name: string) => `${san(name)}のフォローをやめる（フォロー中）`,
    followPerson: (name: string) => `${san(name)}をフォローする`,
    waiting: '承認待ち',
    waitingFor: (name: string) => `承認待ち（${san(name)}のフォロー）`,
    followFailed: (name: string, isUnfollow: boolean) =>
      isUnfollow
        ? `${san(name)}のフォローをやめられませんでした。`
        : `${san(name)}をフォローできませんでした。`,
    nobodyFound: (q: string) => `「${q}」を含む名前のメンバーは見つかりませんでした。`,
    nobodyFoundHelp: '名前やふりがなの一部でも検索できます。',
    otherInitials: 'その他',
    clear: 'クリア',
    retry: 'もう一度試す',
    loadMore: 'もっと見る',
    close: '閉じる',
  },
})

export const peopleDialogText = defineTexts({
  en: {
    titles: {
      likes: (n: number) => `${n} like${pluralSuffix(n)}`,
      followers: (n: number) => `${n} follower${pluralSuffix(n)}`,
      following: (n: number) => `${n} following`,
      invited: (n: number) => `${n} joined with it`,
    },
    nobodyYet: 'Nobody yet.',
  },
  ja: {
    titles: {
      likes: (n: number) => `いいね${n}件`,
      followers: (n: number) => `フォロワー${n}人`,
      following: (n: number) => `フォロー中${n}人`,
      invited: (n: number) => `この招待で参加した${n}人`,
    },
    nobodyYet: 'まだだれもいません。',
  },
})
