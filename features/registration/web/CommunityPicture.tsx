import '#features/people/web/account-pages.css'
import { initialPageData } from '#web/page-data.ts'
import { DecorativeAvatars } from '#web/ui/PageLayout.tsx'

/**
 * Renders the picture of the community beside the title of a page. Renders decorative avatars if the
 * community has no picture, or if the viewer may not see it.
 */
export function CommunityPicture() {
  const { picture, name } = initialPageData.app
  if (!picture) return <DecorativeAvatars />
  return <img className="community-picture" src={picture} alt={name} width={48} height={48} />
}
