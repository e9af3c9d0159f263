import '#web/ui/form-pages.css'
import { pageData } from '#web/page-data.ts'
import { HeaderAvatars } from '#web/ui/PageLayout.tsx'

/** Decorative avatars if there is none, or the viewer may not see it. */
export function CommunityPicture() {
  const { picture, name } = pageData.app
  if (!picture) return <HeaderAvatars />
  return <img className="community-picture" src={picture} alt={name} width={48} height={48} />
}
