import { Suspense, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import type { Language } from '#core/contract.ts'
import { AppShell } from '#web/AppShell.tsx'
import { ErrorBoundary, NotFoundPage, ServerErrorPage } from '#web/ErrorPage.tsx'
import { LangContext } from '#web/i18n.ts'
import { loadLazyComponentsFromNowOn } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { restoreScrollAndFindFocusedPost } from '#web/scroll.ts'
import { saveLanguageOrThemeCookie } from '#web/settings.ts'
import { useCurrentPageTitleOverride } from '#web/title.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { formatBadgeCount } from '#web/ui/UnreadBadge.tsx'
import { findPageDefinitionAtPath, LazyView, pageDefinitionsOfRunningFeatures } from '#web/views.tsx'
import { useTotalBadgeCountForTitle } from '#web/web-modules.ts'

const firstPath = location.pathname

export function App() {
  const [lang, setLang] = useState(initialPageData.lang)
  const [path] = useLocation()
  // Keeps showing the page of the previous path until the page of the new path is loaded.
  const shown = useDeferredValue(path)
  useScrollAndFocus(shown)
  useEffect(loadLazyComponentsFromNowOn, [])

  const changeLang = (next: Language) => {
    saveLanguageOrThemeCookie('lang', next)
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
  if (initialPageData.status >= 500 && path === firstPath) return <ServerErrorPage />
  return (
    <Switch location={path}>
      {pageDefinitionsOfRunningFeatures.map((page) => (
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

/**
 * After every navigation, scrolls to the earlier position on the page, or to the top of a new page. Moves
 * the focus to the post that had the focus, or else to the page's title.
 */
function useScrollAndFocus(path: string) {
  const me = useMe()
  const before = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (before.current === path) return
    const moved = before.current !== null
    before.current = path
    // Reloads the page for a visitor of a members-only community, because the server then sends the visitor
    // to the log-in page.
    if (moved && !me && initialPageData.app.membersOnly) return location.reload()
    const focused = restoreScrollAndFindFocusedPost()
    const main = document.getElementById('main')
    if (!moved || main?.contains(document.activeElement)) return
    const to = focused ?? main?.querySelector<HTMLElement>('h1') ?? main
    to?.focus({ preventScroll: true })
  }, [path, me])
}

/**
 * Sets the title of the document: the number of unread things, and the title of the page. This is a component
 * of its own, so that nothing else renders again when the number changes.
 */
function DocumentTitle({ path, lang }: { path: string; lang: Language }) {
  const given = useCurrentPageTitleOverride()
  const title = given ?? findPageDefinitionAtPath(path)?.title[lang]
  const unread = useTotalBadgeCountForTitle()
  useEffect(() => {
    const count = unread ? `(${formatBadgeCount(unread)}) ` : ''
    document.title = count + (title ? `${title} – ${initialPageData.app.name}` : initialPageData.app.name)
  }, [title, unread])
  return null
}
