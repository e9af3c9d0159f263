import { ErrorLine } from '#web/ErrorPage.tsx'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'

export function NotFound() {
  const say = useText(shellText)
  return (
    <ErrorLine title={say.nobody} help={say.moved}>
      <ButtonLink kind="primary" href="/">
        {say.backHome}
      </ButtonLink>
    </ErrorLine>
  )
}
