import { LogOut, Search, UserPen } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import type { FeatureWebModule } from '#web/web-modules.ts'
import { toProfilePath } from '../contract.ts'

/**
 * Puts the cursor into the search box of the page. If the page has no search box, opens the page that
 * searches users.
 */
function search() {
  const box = document.querySelector<HTMLElement>('#main .search input')
  if (box) box.focus()
  else navigate('/follow', { state: { search: true } })
}

export default {
  name: 'people',
  navigation: [
    {
      positions: { topBar: 30, bottomBar: 30 },
      paths: ['/follow'],
      label: { en: 'Search Users', ja: 'ユーザー検索' },
      icon: Search,
    },
    {
      positions: { profileMenu: 10 },
      paths: ['/edit'],
      label: { en: 'Edit profile', ja: 'プロフィール編集' },
      icon: UserPen,
      visibleTo: 'members',
    },
    {
      positions: { profileMenu: 90 },
      paths: ['/logout'],
      label: { en: 'Log out', ja: 'ログアウト' },
      icon: LogOut,
      visibleTo: 'members',
    },
  ],
  withoutFloatingAction: /^\/(edit|follow|dashboard)\b/,
  shortcuts: [
    { order: 20, keys: ['s', '/'], description: { en: 'Search users', ja: 'ユーザー検索' }, run: search },
    {
      order: 70,
      keys: ['g p'],
      description: { en: 'Your own page', ja: '自分のページ' },
      visibleTo: 'members',
      run: (me) => navigate(toProfilePath(me!)),
    },
  ],
} satisfies FeatureWebModule
