import { texts } from '#web/i18n.ts'

const s = (n: number) => (n === 1 ? '' : 's')

/** Apart from the texts of lists, which the home page loads. */
export const profileText = texts({
  en: {
    profile: 'Profile',
    editProfile: 'Edit profile',
    message: 'Message',
    countPosts: (n: number) => ['', ` post${s(n)}`] as const,
    countFollowing: (_: number) => ['', ' following'] as const,
    countFollowers: (n: number) => ['', ` follower${s(n)}`] as const,
    followsYou: 'Follows you',
    followers: 'Followers',
    nothingYetOwn: 'You have not posted yet.',
    nothingYetOf: (name: string) => `${name} has not posted yet.`,
  },
  ja: {
    profile: 'プロフィール',
    editProfile: 'プロフィール編集',
    message: 'メッセージ',
    countPosts: (_: number) => ['投稿', '件'] as const,
    countFollowing: (_: number) => ['フォロー中', '人'] as const,
    countFollowers: (_: number) => ['フォロワー', '人'] as const,
    followsYou: 'フォローされています',
    followers: 'フォロワー',
    nothingYetOwn: 'まだ投稿がありません。',
    nothingYetOf: (name: string) => `${name}さんの投稿はまだありません。`,
  },
})
