// biome-ignore lint/style/noDefaultExport: Next.js asks for it
export default { serverExternalPackages: ['tagloom'] };
