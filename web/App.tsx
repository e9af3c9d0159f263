import { Suspense, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import type { Lang } from '#core/contract.ts'
import { ErrorPage, NotFound, SafePage } from '#web/ErrorPage.tsx'
import { LangContext } from '#web/i18n.ts'
import { useBadgeSum } from '#web/modules.ts'
import { pageData } from '#web/page-data.ts'
import { Shell } from '#web/Shell.tsx'
import { settleScroll } from '#web/scroll.ts'
import { keepSetting } from '#web/settings.ts'
import { useGivenTitle } from '#web/title.ts'
import { shownCount } from '#web/ui/Badge.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { pageAt, pages, View } from '#web/views.tsx'

const firstPath = location.pathname

export function App() {
  const [lang, setLang] = useState(pageData.lang)
  const [path] = useLocation()
  // The page that is shown stays while the next one is being loaded.
  const shown = useDeferredValue(path)
  useScrollAndFocus(shown)
  useTitle(shown, lang)

  const changeLang = (next: Lang) => {
    keepSetting('lang', next)
    document.documentElement.lang = next
    setLang(next)
  }
  return (
    <LangContext value={lang}>
      <Shell pending={path !== shown} onLang={changeLang}>
        <Suspense fallback={<Loading />}>
          <SafePage key={shown}>
            <PageAt path={shown} />
          </SafePage>
        </Suspense>
      </Shell>
    </LangContext>
  )
}

function PageAt({ path }: { path: string }) {
  if (pageData.status >= 500 && path === firstPath) return <ErrorPage />
  return (
    <Switch location={path}>
      {pages.map((page) => (
        <Route key={page.path} path={page.path}>
          <View view={page.view} />
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}

/** Restores the scroll position after every change of page, and moves the focus to the page's title. */
function useScrollAndFocus(path: string) {
  const before = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (before.current === path) return
    const moved = before.current !== null
    before.current = path
    const focused = settleScroll()
    const main = document.getElementById('main')
    if (!moved || main?.contains(document.activeElement)) return
    const to = focused ?? main?.querySelector<HTMLElement>('h1') ?? main
    to?.focus({ preventScroll: true })
  }, [path])
}

function useTitle(path: string, lang: Lang) {
  const given = useGivenTitle()
  const title = given ?? pageAt(path)?.title[lang]
  const unread = useBadgeSum()
  useEffect(() => {
    const count = unread ? `(${shownCount(unread)}) ` : ''
    document.title = count + (title ? `${title} – ${pageData.app.name}` : pageData.app.name)
  }, [title, unread])
}
