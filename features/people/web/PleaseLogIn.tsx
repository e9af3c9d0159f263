import { useEffect } from 'react'
import { logInPath, pleaseLogIn } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { fixed, peopleText } from './text.ts'

/** Shown in place of content for members. The log-in leads back to this page. */
export function PleaseLogIn() {
  const t = useText(peopleText)
  useEffect(pleaseLogIn, [])
  return (
    <Empty title={<QuotedText {...fixed.pleaseLogIn} />} help={t.membersOnly}>
      <ButtonLink kind="primary" href={logInPath()}>
        {t.logIn}
      </ButtonLink>
    </Empty>
  )
}
