export default {
  service: {
    input: "document.json",
    output: { target: "client.ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } },
  },
};
