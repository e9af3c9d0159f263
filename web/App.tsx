import { Suspense, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import type { Language } from '#core/contract.ts'
import { AppShell } from '#web/AppShell.tsx'
import { ErrorBoundary, NotFoundPage, ServerErrorPage } from '#web/ErrorPage.tsx'
import { LangContext } from '#web/i18n.ts'
import { startLazyLoads } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { restoreScroll } from '#web/scroll.ts'
import { saveCookie } from '#web/settings.ts'
import { useGivenTitle } from '#web/title.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { badgeText } from '#web/ui/UnreadBadge.tsx'
import { findPage, LazyView, pageDefinitions } from '#web/views.tsx'
import { useTotalBadge } from '#web/web-modules.ts'

const firstPath = location.pathname

export function App() {
  const [lang, setLang] = useState(pageData.lang)
  const [path] = useLocation()
  // The page of the previous path stays until that of the new path is loaded.
  const shown = useDeferredValue(path)
  useScrollAndFocus(shown)
  useEffect(startLazyLoads, [])

  const changeLang = (next: Language) => {
    saveCookie('lang', next)
    document.documentElement.lang = next
    setLang(next)
  }
  return (
    <LangContext value={lang}>
      <DocumentTitle path={shown} lang={lang} />
      <AppShell pending={path !== shown} onLang={changeLang}>
        <Suspense fallback={<LoadingText />}>
          <ErrorBoundary key={shown}>
            <RoutedPage path={shown} />
          </ErrorBoundary>
        </Suspense>
      </AppShell>
    </LangContext>
  )
}

function RoutedPage({ path }: { path: string }) {
  if (pageData.status >= 500 && path === firstPath) return <ServerErrorPage />
  return (
    <Switch location={path}>
      {pageDefinitions.map((page) => (
        <Route key={page.path} path={page.path}>
          <LazyView view={page.view} />
        </Route>
      ))}
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  )
}

/** Also moves the focus to the post that had it, or else to the page's title. */
function useScrollAndFocus(path: string) {
  const me = useMe()
  const before = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (before.current === path) return
    const moved = before.current !== null
    before.current = path
    // The server sends a visitor of a members-only community to the log-in page.
    if (moved && !me && pageData.app.membersOnly) return location.reload()
    const focused = restoreScroll()
    const main = document.getElementById('main')
    if (!moved || main?.contains(document.activeElement)) return
    const to = focused ?? main?.querySelector<HTMLElement>('h1') ?? main
    to?.focus({ preventScroll: true })
  }, [path, me])
}

/** A component of its own, so that nothing else renders again when the number of unread things changes. */
function DocumentTitle({ path, lang }: { path: string; lang: Language }) {
  const given = useGivenTitle()
  const title = given ?? findPage(path)?.title[lang]
  const unread = useTotalBadge()
  useEffect(() => {
    const count = unread ? `(${badgeText(unread)}) ` : ''
    document.title = count + (title ? `${title} – ${pageData.app.name}` : pageData.app.name)
  }, [title, unread])
  return null
}
