import { Suspense } from 'react'
import { SafePage } from '#web/ErrorPage.tsx'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useMedia } from '#web/media.ts'
import { modules } from '#web/modules.ts'
import { shellText } from '#web/shell-text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'

/** As in page.css. Narrower windows have no sidebar, and do not fetch its parts. */
const WIDE = '(width >= 67.5em)'

const parts = modules.flatMap(({ sidebar }) => sidebar ?? [])

/** The column beside the page. Members see the parts that features registered, visitors a welcome. */
export function Sidebar() {
  const lang = useLang()
  const me = useMe()
  const isWide = useMedia(WIDE)
  if (!me) return <VisitorWelcome />
  if (!parts.length) return null
  return (
    <aside className="sidebar" aria-label={parts.map(({ label }) => label[lang]).join(', ')}>
      {isWide &&
        parts.map(({ label, Component }) => (
          <SafePage key={label.en} instead={null}>
            <Suspense>
              <Component me={me} />
            </Suspense>
          </SafePage>
        ))}
    </aside>
  )
}

/** Tells visitors about this site: in the sidebar, or (`inline`) above the posts without a sidebar. */
export function VisitorWelcome({ inline }: { inline?: boolean }) {
  const say = useText(shellText)
  return (
    <aside className={inline ? 'welcome board alone' : 'sidebar'} aria-label={say.about}>
      <div className="stack">
        <p className="motto">{say.welcome}</p>
        <p className="soft">{say.asVisitor}</p>
        <div className="line-up">
          <ButtonLink kind="primary" href="/register">
            {say.signUp}
          </ButtonLink>
          <ButtonLink href="/login">{say.logIn}</ButtonLink>
        </div>
      </div>
    </aside>
  )
}
