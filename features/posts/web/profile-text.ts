import { defineTexts, pluralSuffix } from '#web/i18n.ts'

/**
 * The texts of the profile page. They are not in text.ts, because the home page loads that file and does not
 * need them.
 */
export const profileText = defineTexts({
  en: {
    profile: 'Profile',
    editProfile: 'Edit profile',
    sendMessage: 'Message',
    countPosts: (n: number) => ['', ` post${pluralSuffix(n)}`] as const,
    countFollowing: (_: number) => ['', ' following'] as const,
    countFollowers: (n: number) => ['', ` follower${pluralSuffix(n)}`] as const,
    followsYou: 'Follows you',
    noPostsOwn: 'You have not posted yet.',
    noPostsOf: (name: string) => `${name} has no posts to show.`,
  },
  ja: {
    profile: 'プロフィール',
    editProfile: 'プロフィール編集',
    sendMessage: 'メッセージ',
    countPosts: (_: number) => ['投稿', '件'] as const,
    countFollowing: (_: number) => ['フォロー中', '人'] as const,
    countFollowers: (_: number) => ['フォロワー', '人'] as const,
    followsYou: 'フォローされています',
    noPostsOwn: 'まだ投稿がありません。',
    noPostsOf: (name: string) => `表示できる${name}さんの投稿はありません。`,
  },
})
