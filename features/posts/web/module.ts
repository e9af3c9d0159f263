import { Bookmark, House, Newspaper, PenLine } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'posts',
  navigation: [
    {
      positions: { topBar: 10 },
      paths: ['/', '/postlist'],
      label: { en: 'Home', ja: 'ホーム' },
      tooltip: { en: 'Posts from everyone', ja: 'みんなの投稿' },
      icon: House,
    },
    {
      positions: { bottomBar: 10 },
      paths: ['/', '/postlist', '/followingpostlist'],
      label: { en: 'Home', ja: 'ホーム' },
      icon: House,
    },
    {
      positions: { topBar: 20 },
      paths: ['/followingpostlist'],
      label: { en: 'Posts', ja: 'フォロー中' },
      tooltip: { en: 'Posts from people you follow', ja: 'フォロー中の人の投稿' },
      icon: Newspaper,
    },
    {
      positions: { profileMenu: 15 },
      paths: ['/bookmarks'],
      label: { en: 'Bookmarks', ja: 'ブックマーク' },
      icon: Bookmark,
      visibleTo: 'members',
    },
    {
      positions: { action: 10 },
      paths: ['/post'],
      label: { en: 'New Post', ja: '投稿する' },
      icon: PenLine,
      visibleTo: 'members',
    },
  ],
  shortcuts: [
    {
      order: 10,
      keys: ['n'],
      description: { en: 'New post', ja: '投稿する' },
      visibleTo: 'members',
      run: () => navigate('/post'),
    },
    { order: 30, keys: ['g h'], description: { en: 'Home', ja: 'ホーム' }, run: () => navigate('/') },
    {
      order: 40,
      keys: ['g f'],
      description: { en: 'Posts from people you follow', ja: 'フォロー中の人の投稿' },
      visibleTo: 'members',
      run: () => navigate('/followingpostlist'),
    },
  ],
  adminStatistics: [
    {
      order: 30,
      field: 'posts_today',
      label: { en: 'Posts', ja: '投稿' },
      note: { en: 'in the last 24 hours', ja: 'この24時間' },
    },
  ],
} satisfies WebModule
