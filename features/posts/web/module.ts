import { House, Newspaper, PenLine } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import type { WebModule } from '#web/modules.ts'

export default {
  name: 'posts',
  navigation: [
    {
      places: { topBar: 10, bottomBar: 10 },
      to: ['/', '/postlist'],
      label: { en: 'Home', ja: 'ホーム' },
      hint: { en: 'Posts from everyone', ja: 'みんなの投稿' },
      icon: House,
    },
    {
      places: { topBar: 20, bottomBar: 20 },
      to: ['/followingpostlist'],
      label: { en: 'Posts', ja: '投稿' },
      hint: { en: 'Posts from people you follow', ja: 'フォロー中の人の投稿' },
      icon: Newspaper,
    },
    {
      places: { action: 10 },
      to: ['/post'],
      label: { en: 'New Post', ja: '投稿する' },
      icon: PenLine,
      visibleTo: 'members',
    },
  ],
  withoutFloatingAction: /^\/post$/,
  shortcuts: [
    {
      order: 10,
      keys: ['n'],
      does: { en: 'New post', ja: '投稿する' },
      visibleTo: 'members',
      run: () => navigate('/post'),
    },
    { order: 30, keys: ['g h'], does: { en: 'Home', ja: 'ホーム' }, run: () => navigate('/') },
    {
      order: 40,
      keys: ['g f'],
      does: { en: 'Posts of those you follow', ja: 'フォロー中の人の投稿' },
      visibleTo: 'members',
      run: () => navigate('/followingpostlist'),
    },
  ],
  adminFigures: [
    {
      order: 30,
      fact: 'posts_today',
      label: { en: 'Posts', ja: '投稿' },
      note: { en: 'in 24 hours', ja: '直近24時間' },
    },
  ],
} satisfies WebModule
