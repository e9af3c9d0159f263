import { Suspense } from 'react'
import { ErrorBoundary } from '#web/ErrorPage.tsx'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useMediaQuery } from '#web/media-query.ts'
import { shellText } from '#web/shell-text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { webModules } from '#web/web-modules.ts'

/** As in page.css. Narrower windows do not load the parts of the sidebar. */
const WIDE = '(width >= 67.5em)'

const sidebarParts = webModules.flatMap(({ sidebar }) => sidebar ?? [])

export function Sidebar() {
  const lang = useLang()
  const me = useMe()
  const isWide = useMediaQuery(WIDE)
  if (!me) return <VisitorWelcome />
  if (!sidebarParts.length) return null
  return (
    <aside className="sidebar" aria-label={sidebarParts.map(({ label }) => label[lang]).join(', ')}>
      {isWide &&
        sidebarParts.map(({ label, Component }) => (
          <ErrorBoundary key={label.en} fallback={null}>
            <Suspense>
              <Component me={me} />
            </Suspense>
          </ErrorBoundary>
        ))}
    </aside>
  )
}

/** `inline`: above the posts, in windows without a sidebar. */
export function VisitorWelcome({ inline }: { inline?: boolean }) {
  const t = useText(shellText)
  return (
    <aside className={inline ? 'welcome card alone' : 'sidebar'} aria-label={t.about}>
      <div className="stack">
        <p className="motto">{t.welcome}</p>
        <p className="text-soft">{t.asVisitor}</p>
        <div className="cluster">
          <ButtonLink kind="primary" href="/register">
            {t.signUp}
          </ButtonLink>
          <ButtonLink href="/login">{t.logIn}</ButtonLink>
        </div>
      </div>
    </aside>
  )
}
