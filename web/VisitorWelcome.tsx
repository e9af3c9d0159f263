import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'

/** Tells visitors about this site: in the sidebar, or (`inline`) above the posts without a sidebar. */
export function VisitorWelcome({ inline }: { inline?: boolean }) {
  const say = useText(shellText)
  return (
    <aside className={inline ? 'welcome board alone' : 'veranda'} aria-label={say.about}>
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
